/*
 * context.test.mjs - the Pi coding agent, as it is published, lives by the
 * programs of the context family; the model plays a script.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { BIN, HERE, MODULES, bare, exec, place, until } from "./lib.mjs";
import { play } from "./pi/model.mjs";

const CLI = join(MODULES, "@mariozechner/pi-coding-agent/dist/cli.js");
const EXTENSION = join(HERE, "pi", "context.ts");
const WINDOW = 100000; /* tokens: a reminder is due at 25,000 left */

const text = (content) => typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("");
const said = (request) => request.messages.map((m) => text(m.content)).join("\n");
const lines = (file) => readFileSync(file, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));

function agentDir(at, url) {
  const dir = join(at.dir, "agent");
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "models.json"), JSON.stringify({ providers: { script: {
    baseUrl: url, api: "openai-completions", apiKey: "none",
    models: [{ id: "model", contextWindow: WINDOW, maxTokens: 1000 }] } } }));
  return dir;
}

/* Pi, driven by its protocol; ended with the test. */
function start(at, env, more = []) {
  const child = spawn(process.execPath, [CLI, "--mode", "rpc", "--provider", "script", "--model", "model",
    "--no-builtin-tools", "-e", EXTENSION, ...more], { env, cwd: at.project, stdio: ["pipe", "pipe", "pipe"] });
  const pi = { child, events: [], stderr: "", ended: false };
  let rest = "";
  child.stdout.on("data", (bytes) => {
    rest += bytes;
    for (let lf; (lf = rest.indexOf("\n")) >= 0; rest = rest.slice(lf + 1)) pi.events.push(JSON.parse(rest.slice(0, lf)));
  });
  child.stderr.on("data", (bytes) => { pi.stderr += bytes; });
  child.stdin.on("error", () => {});
  child.on("close", () => { pi.ended = true; });
  at.children.push(child);
  pi.send = (command) => child.stdin.write(`${JSON.stringify(command)}\n`);
  pi.count = (type) => pi.events.filter((event) => event.type === type).length;
  return pi;
}

async function begin(t, script, bin = BIN) {
  const at = place(t);
  const model = await play(script);
  t.after(model.close);
  const agent = agentDir(at, model.url);
  const env = bare(at, { CTX_BIN: bin, PI_CODING_AGENT_DIR: agent, PI_OFFLINE: "1", PI_TELEMETRY: "0" });
  const session = () => {
    const files = readdirSync(join(agent, "sessions"), { recursive: true }).filter((name) => name.endsWith(".jsonl"));
    assert.equal(files.length, 1);
    return join(agent, "sessions", files[0]);
  };
  /* A program, as a person beside the host runs it. */
  const run = async (program, args = {}) => {
    const facts = { ...env, CTX_SESSION: `pi:${lines(session())[0].id}`, CTX_SESSION_FILE: session() };
    const { stdout, stderr, code } = await exec(join(BIN, program), ["-j"], { env: facts, input: JSON.stringify(args) });
    assert.equal(code, 0, stderr + stdout);
    return JSON.parse(stdout);
  };
  return { at, model, env, session, run };
}

test("Pi: from the first window to the second", { timeout: 120000 }, async (t) => {
  const { at, model, env, session, run } = await begin(t, [
    { turn: [["get_context_remaining", {}]], used: 80000 },
    { turn: "I will go on.", used: 90000 },
    { turn: [["history_list_items", {}]], used: 90100 },
    { turn: [["notes_write_file", { path: "plan.md", text: "w1: retry once.\n" }]], used: 90200 },
    { turn: "Saved.", used: 90300 },
    { turn: [["notes_read_file", { path: "plan.md" }], ["history_search_contents", { query: "retry once, please" }]], used: 2000 },
    (request) => {
      const id = /\[id: (\w+)\]/.exec(text(request.messages.findLast((m) => m.role === "tool").content))[1];
      return [["history_read_item", { item_id: id, window_id: "w1" }]];
    },
    { turn: "All is known again.", used: 2100 },
  ]);
  const pi = start(at, env);
  pi.send({ type: "prompt", message: "Make it retry once, please." });
  await until(() => pi.count("agent_end") >= 1 && pi.count("compaction_end") >= 1);
  pi.send({ type: "prompt", message: "Go on." });
  await until(() => model.requests.length >= 8 || pi.ended);
  await until(() => pi.count("agent_end") >= 3 || pi.ended);
  const [r0, r1, r2, r3, , r5, r6, r7] = model.requests;

  await t.test("the model gets the eleven tools, the guidance and its identity", () => {
    assert.equal(r0.tools.length, 11);
    assert.match(said(r0), /<pi_token_budget_guidance>/);
    assert.match(said(r0), /Current context window id: w1\n<\/context_window>/);
  });
  await t.test("what is not its own ends with an id", () => {
    const user = r1.messages.find((m) => m.role === "user" && /retry once/.test(text(m.content)));
    assert.match(text(user.content), /\[id: \w+\]$/);
  });
  await t.test("the reminder comes at the next boundary, the fallback instead of a compaction", () => {
    assert.match(said(r1), /You have 20000 tokens left/);
    assert.match(said(r1), /<context_window_reminder source_context_window_id="w1">\nOnly 20000 tokens/);
    assert.match(said(r2), /Make exactly one call to notes_write_file/);
  });
  await t.test("behind the fence one write passes", () => {
    assert.match(said(r3), /error: fenced: history_list_items is blocked/);
  });
  await t.test("the second window begins with the bootstrap alone, and goes on", () => {
    assert.match(said(r5), /<context_window_reset\/>/);
    assert.match(said(r5), /"path":"\/root\/notes\/plan.md"/);
    assert.match(said(r5), /A new context window has started/);
    assert.doesNotMatch(said(r5), /retry once, please|I will go on/);
  });
  await t.test("it reads the notes and the items of the first", () => {
    assert.match(said(r6), /w1: retry once\./);
    assert.match(said(r7), /Make it retry once, please\./);
  });
  await t.test("and the programs know", async () => {
    assert.deepEqual((await run("history-list-windows")).windows.map((w) => w.window_id), ["w1", "w2"]);
    const { window_id, remaining_tokens } = await run("get-context-remaining");
    assert.deepEqual([window_id, remaining_tokens], ["w2", WINDOW - 2100]);
    assert.equal(lines(session()).filter((entry) => entry.type === "compaction").length, 1);
  });
});

test("Pi: a person asks for a compaction, and a checkpoint comes first", { timeout: 120000 }, async (t) => {
  const { at, model, env, run } = await begin(t, [
    { turn: "Understood.", used: 1000 },
    { turn: [["notes_append_to_file", { path: "plan.md", text: "asked: wait\n" }]], used: 1100 },
    { turn: "Saved.", used: 1200 },
    { turn: "I wait.", used: 500 },
  ]);
  const pi = start(at, env);
  pi.send({ type: "prompt", message: "Wait for me." });
  await until(() => pi.count("agent_end") >= 1);
  pi.send({ type: "compact" });
  await until(() => pi.events.filter((e) => e.type === "compaction_end").length >= 2 || pi.ended);
  assert.match(said(model.requests[1]), /<context_window_checkpoint source_context_window_id="w1" reason="manual">/);
  await until(() => pi.events.some((e) => e.type === "compaction_end" && e.result));
  pi.send({ type: "prompt", message: "Where are we?" });
  await until(() => model.requests.length >= 4);
  await until(() => pi.count("agent_end") >= 3);
  assert.match(said(model.requests[3]), /Current context window id: w2/);
  assert.doesNotMatch(said(model.requests[3]), /A new context window has started|Wait for me/);
  assert.equal((await run("notes-read-file", { path: "plan.md" })).content, "asked: wait\n");
});

test("Pi: killed between context-compact and context-commit, it goes on", { timeout: 120000 }, async (t) => {
  const script = [
    { turn: [["notes_write_file", { path: "plan.md", text: "half way\n" }], ["new_context", {}]], used: 1000 },
    { turn: "Waiting for the window.", used: 1100 },
    { turn: [["notes_read_file", { path: "plan.md" }]], used: 300 },
    { turn: "Half way.", used: 400 },
  ];
  const home = place(t);
  const bin = join(home.dir, "bin");
  mkdirSync(bin);
  for (const name of readdirSync(BIN)) if (name !== "context-commit") symlinkSync(join(BIN, name), join(bin, name));
  writeFileSync(join(bin, "context-commit"), "#!/bin/sh\nkill -9 $PPID\n");
  chmodSync(join(bin, "context-commit"), 0o755);
  const { at, model, env, session, run } = await begin(t, script, bin);
  const first = start(at, env);
  first.send({ type: "prompt", message: "Begin." });
  await until(() => first.ended);
  assert.equal(lines(session()).at(-1).type, "compaction");

  const second = start(at, { ...env, CTX_BIN: BIN }, ["--session", session()]);
  second.send({ type: "prompt", message: "Where were we?" });
  await until(() => second.count("agent_end") >= 1 || second.ended);
  await until(() => model.requests.length >= 4);
  assert.match(said(model.requests[2]), /Current context window id: w2/);
  assert.doesNotMatch(said(model.requests[2]), /Begin\./);
  assert.match(said(model.requests[3]), /half way/);
  assert.equal((await run("get-context-remaining")).window_id, "w2");
});
