// Loads the engine in node and in browsers.
import create from "./halfspace.mjs";
import { load as begin } from "./engine.js";

export { HalfspaceError } from "./engine.js";

const wasm = new URL("./halfspace.wasm", import.meta.url);

// Bundlers for browsers are to leave node's module alone.
const files = "node:fs/promises";

async function read() {
  if (wasm.protocol === "file:" && typeof process === "object" && process.versions?.node)
    return (await import(/* webpackIgnore: true */ /* @vite-ignore */ files)).readFile(wasm);
  const response = await fetch(wasm);
  if (!response.ok) throw new Error(`${wasm.href}: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}

export async function load({ bytes } = {}) {
  return begin(create, bytes ?? await read());
}
