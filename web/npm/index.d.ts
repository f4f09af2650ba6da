// Types of the package. Those of the options are made from the library's own tables when the package is built.

/** What goes wrong: the message, what to do, and where in the text. */
export class HalfspaceError extends Error {
  /** What to do about it. */
  fix: string;
  /** The line and column of the text, from 1; 0 where it is about no line. */
  line: number;
  column: number;
  /** 2: usage, 65: the data, 70: a bug, 74: input and output. */
  kind: number;
}

/** Loads the engine; `bytes` are those of halfspace.wasm where they do not lie beside this module. */
export function load(given?: { bytes?: Uint8Array | ArrayBuffer }): Promise<Engine>;

export interface Result {
  /** What the command prints with --json. */
  json: any;
  /** What the command prints. */
  text: string;
  /** The certificate, where there is one. */
  certificate: string | null;
}
export interface Trained extends Result {
  /** The bytes of the model's file, which `halfspace predict` reads. */
  model: Uint8Array;
}
export interface Prediction {
  class: string;
  score: number;
}
export interface Weights {
  weights: number[];
  bias: number;
}
/** `figures`: the data of a report's figures, too. `name`: of the file, which a certificate has. */
export interface How {
  figures?: boolean;
  name?: string;
}

export interface Engine {
  version(): string;
  /** The options of a command as a list, or the rules, or the bandits. */
  describe(what: "train" | "certify" | "experts" | "replay" | "rules" | "bandits"): any[];
  /** Trains on the text of a CSV file, by default the perceptron. */
  train(text: string, options?: TrainOptions, how?: How): Trained;
  /** Predicts for rows of numbers. */
  predict(model: Uint8Array, rows: ArrayLike<number>[]): Prediction[];
  /** The weights and the bias of a model of two classes. */
  weights(model: Uint8Array): Weights;
  /** Learns row after row; free() it at the end. */
  trainer(columns: string[], classes: string[], options?: TrainOptions): Trainer;
  /** Separable or not, with proof. */
  certify(text: string, options?: CertifyOptions, how?: How): Result;
  /** Checks a certificate against the text of the data. */
  verify(certificate: string, text: string, how?: { name?: string }): Result;
  /** Plays a game of experts: a column an expert, a row a round. */
  experts(text: string, options?: ExpertsOptions, how?: How): Result;
  /** Plays a bandit on the losses of all arms: a column an arm, a row a round. */
  bandit(text: string, options?: BanditOptions, how?: How): Result;
}
export interface Trainer {
  /** Learns a row of numbers by column; `number` is that of its class, from 0. */
  learn(row: ArrayLike<number>, number: number, weight?: number): void;
  /** The model as it is now. */
  model(): Weights & { bytes: Uint8Array; described: any };
  free(): void;
}

@OPTIONS@
