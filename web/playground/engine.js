// The library in JavaScript: what it says is what the command says, byte for byte. A module for browsers and node:
//
//   const engine = await load(createHalfspace, wasm);  // of build/web: halfspace.mjs, the bytes of halfspace.wasm
//   const run = engine.train("x,y,class\n1,2,a\n…", { rule: "perceptron", passes: 3 });
//   run.json, run.text, run.model                      // the result, the ledger as printed, the model's file
//   engine.predict(run.model, [[1, 2]]);               // [{ class: "a", score: 0.5 }]
//   engine.certify(text, {}).json.verdict
//   engine.experts("one,two,outcome\n1,0,1\n…", { outcome: "outcome" }).json.regret
//
// Options have the names of the command's flags, without dashes. What goes wrong is a HalfspaceError.

export class HalfspaceError extends Error {
  constructor({ message, fix, line, column, kind }) {
    super(message);
    Object.assign(this, { name: "HalfspaceError", fix, line, column, kind });
  }
}

export async function load(createModule, wasmBinary) {
  return new Halfspace(await createModule({ wasmBinary, print: () => {}, printErr: () => {} }));
}

const usage = 2, figuresOfPages = 2, bytesOfError = 40, bytesOfWatch = 20, bytesOfLabels = 20;

function refuse(message, fix) {
  throw new HalfspaceError({ message, fix, line: 0, column: 0, kind: usage });
}
function textOf(text, what) {
  if (typeof text !== "string" && !(text instanceof Uint8Array)) refuse(`${what} is no text`, "give a string");
  return text;
}
// Options that are undefined are not given.
function optionsOf(options) {
  if (options != null && (typeof options !== "object" || Array.isArray(options)))
    refuse("the options are no object", "give { name: value, … }, or leave them out");
  return Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== undefined));
}

class Halfspace {
  constructor(module) {
    this.module = module;
  }

  version() {
    return this.#text(this.module._halfspace_version());
  }

  // What halfspace_describe() gives: the options of "train", "certify", "experts" or "replay", or the "rules".
  describe(what) {
    return this.#scope((scope) =>
      JSON.parse(scope.taken((error) => this.module._halfspace_describe(scope.text(what), error))));
  }

  // Trains on the text of a CSV file, by default the perceptron. `figures`: with the figures of a page of the run, as --figures.
  // `name`: of the file, which a certificate has.
  train(text, options, how) {
    return this.#scope((scope) => {
      const { figures, ...data } = scope.data(text, how);
      const settings = scope.settings("train", { rule: "perceptron", ...optionsOf(options) }, data);
      const model = scope.memory(4), result = scope.memory(4);
      scope.check((error) => this.module._halfspace_train(settings, 0, 0, scope.watch(figures), model, result, error));
      const trained = scope.owned(this.#word(model), this.module._halfspace_model_free);
      return { ...scope.result(this.#word(result)), model: scope.encoded(trained) };
    });
  }

  // A trainer that learns row after row, in the order that they are given: numbers by column, and the class's number.
  // It is to be freed.
  trainer(columns, classes, options) {
    if (!Array.isArray(columns) || columns.length === 0)
      refuse("a trainer has columns", "give a list of their names");
    if (!Array.isArray(classes) || classes.length < 2)
      refuse("a trainer has two classes or more", "give a list of their names");
    return this.#scope((scope) => {
      const settings = scope.settings("train", { rule: "perceptron", ...optionsOf(options) });
      const names = scope.words(classes.map((name) => scope.text(name)));
      const labels = scope.memory(bytesOfLabels);
      this.module.HEAP32.set([0, names, classes.length, 0, 0], labels >> 2);
      const handle = scope.made((error) => this.module._halfspace_trainer_new_named(settings, labels, error));
      const trainer = new Trainer(this, handle, columns.length, classes.length);
      try {
        for (const name of columns)
          scope.check((error) => this.module._halfspace_trainer_add_feature(handle, scope.text(name), 0, error));
      } catch (error) {
        trainer.free();
        throw error;
      }
      return trainer;
    });
  }

  // Predicts for rows of numbers, by the bytes of a model's file.
  predict(model, rows) {
    if (!Array.isArray(rows)) refuse("the rows are no list", "give a list of rows, each a list of numbers");
    return this.#scope((scope) => {
      const decoded = scope.decoded(model), predict = this.module._halfspace_predict_row;
      const predictor = scope.owned(scope.made((error) => this.module._halfspace_predictor_new(decoded, error)),
        this.module._halfspace_predictor_free);
      const number = scope.memory(4), score = scope.memory(8);
      const expected = this.module._halfspace_model_features(decoded);
      return rows.map((row) => {
        const { features, values } = scope.row(row, expected);
        scope.check((error) => predict(predictor, row.length, features, values, number, score, 0, error));
        const name = this.#text(this.module._halfspace_model_class_name(decoded, this.#word(number)));
        return { class: name, score: this.module.HEAPF64[score >> 3] };
      });
    });
  }

  // The weights and the bias of a model of two classes, by the bytes of its file.
  weights(model) {
    return this.#scope((scope) => scope.weights(scope.decoded(model)));
  }

  certify(text, options, how) {
    return this.#scope((scope) => {
      const { figures, ...data } = scope.data(text, how);
      const settings = scope.settings("certify", optionsOf(options), data);
      const watch = scope.watch(figures);
      return scope.result(scope.made((error) => this.module._halfspace_certify(settings, 0, watch, error)));
    });
  }

  // Plays a game of experts on the text of a CSV file, a column an expert, a row a round; `outcome` names the outcome's.
  experts(text, options, how) {
    return this.#play("experts", text, options, how);
  }

  // Plays a bandit on the losses of all arms, a column an arm, a row a round.
  bandit(text, options, how) {
    return this.#play("replay", text, options, how);
  }

  #play(what, text, options, how) {
    return this.#scope((scope) => {
      const { figures, ...data } = scope.data(text, { name: "rounds.csv", ...how });
      const settings = scope.settings(what, optionsOf(options), data), watch = scope.watch(figures);
      return scope.result(scope.made((error) => this.module._halfspace_run(settings, watch, error)));
    });
  }

  // Checks a certificate against the text of the data.
  verify(certificate, text, how) {
    return this.#scope((scope) => {
      const { figures, ...data } = scope.data(text, how);
      const given = scope.text(textOf(certificate, "the certificate")), paths = scope.words([scope.text(scope.file(data))]);
      return scope.result(scope.made((error) => this.module._halfspace_verify(given, paths, 1, error)));
    });
  }

  // Memory and objects of a call, freed at its end.
  #scope(act) {
    const undo = [], { module } = this, own = (address, free) => (undo.push(() => free(address)), address);
    const word = (address) => this.#word(address), text = (address) => this.#text(address);
    const scope = {
      owned: own,
      memory: (bytes) => {
        const address = own(module._malloc(bytes), module._free);
        module.HEAPU8.fill(0, address, address + bytes);
        return address;
      },
      bytes: (given) => {
        const address = scope.memory(given.length || 1);
        module.HEAPU8.set(given, address);
        return address;
      },
      text: (given) => scope.bytes(new TextEncoder().encode(`${given}\0`)),
      words: (list) => {
        const address = scope.memory(4 * list.length || 1);
        module.HEAP32.set(list, address >> 2);
        return address;
      },
      file: ({ text: given, name }) => {
        const path = `/${name}`;
        module.FS.writeFile(path, given);
        undo.push(() => module.FS.unlink(path));
        return path;
      },
      // Calls with an error's address, and throws what it says unless nothing went wrong.
      check: (call, failed = (value) => value !== 0) => {
        const error = scope.memory(bytesOfError);
        const value = call(error);
        if (failed(value) && word(error) !== 0) {
          const [message, , , fix] = [24, 28, 32, 36].map((at) => text(word(error + at)));
          const [line, column] = [8, 16].map((at) => word(error + at)), kind = word(error);
          module._halfspace_error_clear(error);
          throw new HalfspaceError({ message, fix, line, column, kind });
        }
        return value;
      },
      made: (call) => scope.check(call, (address) => address === 0),
      // A text that the library made, or null.
      taken: (call) => {
        const address = scope.made(call);
        return address === 0 ? null : text(own(address, module._halfspace_free));
      },
      settings: (what, options, data) => {
        const made = own(scope.made((error) => module._halfspace_settings_new(scope.text(what), error)),
          module._halfspace_settings_free);
        if (data !== undefined)
          scope.check((error) => module._halfspace_settings_add_path(made, scope.text(scope.file(data)), error));
        for (const [name, value] of Object.entries(options))
          scope.check((error) => module._halfspace_settings_set(made, scope.text(name), scope.text(value), error));
        return made;
      },
      watch: (figures) => {
        const watch = scope.memory(bytesOfWatch);
        module.HEAP32[(watch + 16) >> 2] = figures ? figuresOfPages : 0;
        return watch;
      },
      result: (handle) => {
        own(handle, module._halfspace_result_free);
        const json = JSON.parse(scope.taken((error) => module._halfspace_result_json(handle, error)));
        const words = scope.taken((error) => module._halfspace_result_text(handle, error));
        const certificate = scope.taken((error) => module._halfspace_result_certificate(handle, error));
        return { json, text: words, certificate };
      },
      encoded: (model) => {
        const size = scope.memory(4);
        const address = own(scope.made((error) => module._halfspace_model_encode(model, size, error)),
          module._halfspace_free);
        return module.HEAPU8.slice(address, address + word(size));
      },
      data: (text, how) => {
        const { figures = false, name = "data.csv" } = how ?? {};
        return { text: textOf(text, "the data"), figures, name };
      },
      decoded: (model) => {
        if (!(model instanceof Uint8Array)) refuse("that is no model's file", "give the bytes in `model` of a run");
        const bytes = scope.bytes(model);
        return own(scope.made((error) => module._halfspace_model_decode(bytes, model.length, error)),
          module._halfspace_model_free);
      },
      weights: (model) => {
        const features = module._halfspace_model_features(model), values = scope.memory(8 * (features + 1));
        scope.check((error) => module._halfspace_model_weights(model, values, values + 8 * features, error));
        const all = [...module.HEAPF64.subarray(values >> 3, (values >> 3) + features + 1)];
        return { weights: all.slice(0, features), bias: all[features] };
      },
      row: (numbers, expected) => {
        if (numbers?.length !== expected)
          refuse(`a row has ${numbers?.length ?? "no"} numbers where ${expected} are expected`, "give one number a column");
        const wrong = Array.prototype.findIndex.call(numbers, (x) => typeof x !== "number");
        if (wrong >= 0) refuse(`column ${wrong + 1} of a row is ${numbers[wrong]}, and no number`, "give numbers");
        const features = scope.words(numbers.map((_, i) => i)), values = scope.memory(8 * numbers.length || 8);
        module.HEAPF64.set(numbers, values >> 3);
        return { features, values };
      },
    };
    try {
      return act(scope);
    } finally {
      while (undo.length > 0) undo.pop()();
    }
  }
  scope(act) {
    return this.#scope(act);
  }

  #word(address) {
    return this.module.HEAP32[address >> 2];
  }
  #text(address) {
    if (address === 0) return "";
    const end = this.module.HEAPU8.indexOf(0, address);
    return new TextDecoder().decode(this.module.HEAPU8.slice(address, end));
  }
}

class Trainer {
  #engine;
  #handle;
  #classes;
  constructor(engine, handle, columns, classes) {
    this.#engine = engine;
    this.#handle = handle;
    this.#classes = classes;
    this.columns = columns;
  }

  // `number`: of the class, from 0 on.
  learn(row, number, weight = 1) {
    this.#check();
    if (!Number.isInteger(number) || number < 0 || number >= this.#classes)
      refuse(`${String(number)} is no class's number`, `give 0 to ${this.#classes - 1}, in the order of the classes`);
    if (typeof weight !== "number") refuse("the weight of a row is no number", "leave it out, or give a number");
    const learn = this.#engine.module._halfspace_trainer_learn_row;
    this.#engine.scope((scope) => {
      const { features, values } = scope.row(row, this.columns);
      scope.check((error) => learn(this.#handle, row.length, features, values, number, weight, error));
    });
  }
  // The model as it is now: the bytes of its file, its weights, and what halfspace_model_describe() gives.
  model() {
    this.#check();
    const { module } = this.#engine;
    return this.#engine.scope((scope) => {
      const model = scope.owned(scope.made((error) => module._halfspace_trainer_model(this.#handle, error)),
        module._halfspace_model_free);
      const described = scope.taken((error) => module._halfspace_model_describe(model, error));
      return { bytes: scope.encoded(model), ...scope.weights(model), described: JSON.parse(described) };
    });
  }
  #check() {
    if (this.#handle === 0) refuse("the trainer was freed", "make another one");
  }
  free() {
    this.#engine.module._halfspace_trainer_free(this.#handle);
    this.#handle = 0;
  }
}
