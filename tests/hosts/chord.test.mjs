/*
 * chord.test.mjs - the ops of the output family against the package that has
 * the same ones: what it makes is folded and decoded here, what is made here
 * is applied and decoded there, and both refuse the same.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { BIN, MODULES, exec } from "./lib.mjs";

/* It exports to import only, so that its file is named. */
const chord = join(MODULES, "@earendil-works", "chord", "dist", "delta", "index.js");
const { apply, assertValidOp, decoder, encoder, track } = await import(pathToFileURL(chord).href);

const options = { timeout: 120000 };
const STREAMS = 60, FLUSHES = 50;

/* x * 1664525 + 1013904223 mod 2^32; the high bits. */
function picker(seed) {
  let x = seed >>> 0;
  return (n) => {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
    return Math.floor((x / 4294967296) * n);
  };
}

const KEYS = ["a", "b", "log", "0", "5", "é", "a b", "a\"b", "", "\u0000"];
const TEXTS = ["a", "xx", "é", "\u{1f600}", "\n", "\"", "\\", "\u0000", "\u0001", "ab"];
const text = (pick) => Array.from({ length: pick(4) === 0 ? 80 : pick(8) }, () => TEXTS[pick(TEXTS.length)]).join("");

function value(pick, deep) {
  switch (pick(deep > 0 ? 8 : 5)) {
    case 0: return null;
    case 1: return pick(2) === 0;
    case 2: return [0, 7, -1.5, 1e21, 9007199254740991][pick(5)];
    case 3: case 4: return text(pick);
    case 5: case 6: return Array.from({ length: pick(5) }, () => value(pick, deep - 1));
    default: return Object.fromEntries(Array.from({ length: pick(5) }, () => [KEYS[pick(KEYS.length)], value(pick, deep - 1)]));
  }
}

/* Changes something somewhere in a tracked object, as a tool would. */
function mutate(pick, at) {
  for (;;) {
    const keys = Object.keys(at);
    const key = keys.length > 0 ? keys[pick(keys.length)] : undefined;
    const inner = key === undefined ? undefined : at[key];
    if (typeof inner === "object" && inner !== null && pick(4) > 0) { at = inner; continue; }
    if (Array.isArray(at)) {
      if (pick(3) === 0 || at.length === 0) at.push(value(pick, 2));
      else if (pick(3) === 0) at.splice(pick(at.length), pick(3), value(pick, 1));
      else if (pick(3) === 0) at.reverse();
      else at[pick(at.length)] = value(pick, 2);
      return;
    }
    if (typeof inner === "string" && pick(4) > 0) {
      const whole = [...inner];
      at[key] = whole.slice(pick(3)).join("") + text(pick);
    } else if (key !== undefined && pick(5) === 0) delete at[key];
    else at[KEYS[pick(KEYS.length)]] = value(pick, 2);
    return;
  }
}

const run = async (program, args, lines) => {
  const { code, stdout, stderr } = await exec(join(BIN, program), args, { env: {}, input: lines.map((line) => JSON.stringify(line)).join("\n") });
  assert.equal(stderr, "");
  return { code, out: stdout.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line)) };
};

/* A stream of the package's own: the batches, and the value after each. */
function stream(seed) {
  const pick = picker(seed);
  const tracker = track({ root: value(pick, 4), list: [], log: "" });
  const batches = [], states = [];
  for (let i = 0; i < FLUSHES; i++) {
    for (let k = pick(4); k >= 0; k--) mutate(pick, tracker.state);
    if (pick(12) === 0) tracker.rebase();
    const ops = tracker.flush();
    if (ops.length === 0) continue;
    batches.push(structuredClone(ops));
    states.push(structuredClone(tracker.target));
  }
  return { batches, states };
}

test("what the package makes: folded, decoded and checked here", options, async () => {
  let ops = 0;
  for (let seed = 1; seed <= STREAMS; seed++) {
    const { batches, states } = stream(seed);
    const encode = encoder();
    const wire = batches.map((batch) => encode.encode(batch));
    const folded = await run("ops-fold", ["--stream", "--every", "--verbs", "7"], batches);
    assert.equal(folded.code, 0, JSON.stringify(folded.out.at(-1)));
    assert.deepEqual(folded.out.map((line) => line.state), states);
    const unwired = await run("ops-fold", ["--stream", "--every", "--verbs", "7", "--wire"], wire);
    assert.deepEqual(unwired.out.map((line) => line.state), states);
    const decoded = await run("ops-wire", ["decode", "--stream", "--verbs", "7"], wire);
    assert.deepEqual(decoded.out.map((line) => line.ops), batches);
    /* The same encoder: the same ids and short forms. */
    const encoded = await run("ops-wire", ["encode", "--stream", "--verbs", "7"], batches);
    assert.deepEqual(encoded.out.map((line) => line.ops), wire);
    ops += batches.flat().length;
  }
  assert.ok(ops > 3000, `${ops} ops`);
});

test("what is made here: applied and decoded by the package", options, async () => {
  for (let seed = 1; seed <= STREAMS; seed++) {
    const { states } = stream(1000 + seed);
    const made = await run("ops-diff", ["--stream", "--verbs", "7", "--rebase-every", "9"], states.map((state) => ({ state })));
    assert.equal(made.code, 0);
    const wired = await run("ops-wire", ["encode", "--stream", "--verbs", "7"], made.out);
    const decode = decoder();
    let now, at = 0;
    for (const [i, line] of made.out.entries()) {
      line.ops.forEach((op) => assertValidOp(op));
      assert.deepEqual(decode.decode(wired.out[i].ops), line.ops);
      now = apply(now, structuredClone(line.ops));
      /* Equal states make no batch. */
      while (!isSame(now, states[at])) assert.ok(++at < states.length, `stream ${seed}, batch ${i}`);
    }
    assert.deepEqual(now, states.at(-1));
  }
});

const isSame = (a, b) => { try { assert.deepEqual(a, b); return true; } catch { return false; } };

test("both refuse the same ops, and leave the value as it was", options, async () => {
  const before = { a: { b: [1, 2, 3], s: "x\u{1f600}y" }, n: 1, z: null };
  const ops = [
    ["s", ["a", "c"], 1], ["s", ["a", "b", 3], 9], ["s", ["a", "b", 4], 9], ["s", ["a", "q", "r"], 1], ["s", ["n", "x"], 1],
    ["s", ["z", "x"], 1], ["s", ["__proto__", "x"], 1], ["s", ["a", "constructor"], 1], ["s", [], 1], ["s", "a", 1], ["s", ["a"]],
    ["d", ["a", "b", 1]], ["d", ["a", "b", 3]], ["d", ["q"]], ["d", ["q", "r"]], ["d", []], ["d"], ["d", ["prototype"]],
    ["a", ["a", "s"], "z"], ["a", ["n"], "z"], ["a", ["q"], "z"], ["a", ["a", "s"], 1], ["a", ["a", "s"]],
    ["t", ["a", "s"], 1], ["t", ["a", "s"], 3], ["t", ["a", "s"], 99], ["t", ["a", "s"], 1.5], ["t", ["a", "s"], -1], ["t", ["n"], 1],
    ["p", ["a", "b"], 1, 1, [7, 8]], ["p", ["a", "b"], 99, 99, []], ["p", ["a", "s"], 0, 0, []], ["p", ["a", "b"], 0, 0, "xy"],
    ["p", ["a", "b"], 0, 1.5, []], ["p", [], 0, 0, []], ["p", ["a", "b"], 0, 0],
    ["m", ["a", "b"], [2, 0, 1]], ["m", ["a", "b"], [0, 1]], ["m", ["a", "b"], [0, 0, 1]], ["m", ["n"], []], ["m", ["a", "b"], [0, 1, 3]],
    ["q", ["a"]], [], ["r"], ["r", 1, 2], ["s", [null], 1], ["s", [1.5], 1], [1, ["a"]],
  ];
  let refused = 0;
  for (const op of ops) {
    let want, said;
    try {
      assertValidOp(op);
      want = apply(structuredClone(before), [op]);
    } catch (error) { want = undefined; said = error.message; }
    const { code, out } = await run("ops-fold", ["--stream", "--verbs", "7", "--state", JSON.stringify(before)], [[op]]);
    assert.equal(code, want === undefined ? 1 : 0, `${JSON.stringify(op)}: ${said ?? "taken"}, and ${JSON.stringify(out)}`);
    assert.deepEqual(out[0].state, want ?? before);
    refused += code;
  }
  assert.ok(refused > 20 && refused < ops.length - 10);
});
