/*
 * codex.test.mjs - Codex, driven by a scripted model through its app server:
 * every record of every rollout that it writes is what the programs show of it.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { MODULES, bare, exec, place, snippet, until } from "../lib.mjs";
import { call as run, faultsOf, found, none } from "./check.mjs";
import { codex, isSubagent, threadRecords, threads } from "./codex.mjs";
import { call, message, play } from "./responses.mjs";

const PROGRAM = join(MODULES, "@openai/codex/bin/codex.js");
const options = { timeout: 300000 };
const PICTURE = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const shell = (cmd) => call("exec_command", { cmd });
const write = (address, content) => call("notes_write", { address, content }, "mcp__ctx");

const SCRIPT = {
  plain: [[{ type: "reasoning", summary: [{ type: "summary_text", text: "mk-thought" }], encrypted_content: "x" }, message("mk-a-plain")]],
  tools: [[message("mk-a-tools"), shell("echo mk-out-one"), shell("echo mk-out-two; exit 3")], [call("no_such", { x: "mk-unknown" })], "mk-a-tools-end"],
  note: [[write("where", "mk-note"), write("@agents/bob/x", "mk-refused")], "mk-a-note"],
  busy: [[message("mk-a-busy"), shell("sleep 1.2; echo mk-out-busy")], "mk-a-busy-end"], steered: ["mk-a-steered"],
  agent: [[call("spawn_agent", { message: "mk-sub-prompt @@sub" }, "multi_agent_v1")],
    (asked) => [call("wait_agent", { targets: [JSON.parse(asked.input.findLast((item) => item.type === "function_call_output").output).agent_id], timeout_ms: 20000 }, "multi_agent_v1")],
    "mk-a-agent"],
  sub: [[message("mk-sub-a"), shell("echo mk-sub-out")], "mk-sub-end"],
  stopped: [[message("mk-a-stopped"), shell("sleep 30; echo mk-never")]],
  full: [{ items: [message("mk-a-full")], tokens: 300000 }],
  one: ["mk-a-one"], two: [[shell("echo mk-out-gone")], "mk-a-two"], three: ["mk-a-three"],
  review: [JSON.stringify({ findings: [], overall_correctness: "patch is correct", overall_explanation: "mk-reviewed", overall_confidence_score: 1 })],
  goal: [[call("update_goal", { status: "complete" })], "mk-a-goal"],
  archived: ["mk-a-archived"],
  after: ["mk-a-after"], again: ["mk-a-again"], next: ["mk-a-next"], picture: ["mk-a-picture"], rewound: ["mk-a-rewound"], forked: ["mk-a-forked"], resumed: ["mk-a-resumed"],
};

/* As README.md says, and a provider that is the script. */
const config = (at, url) => `model = "gpt-5.2-codex"
model_provider = "script"
model_auto_compact_token_limit = 200000
approval_policy = "never"
sandbox_mode = "danger-full-access"
${snippet("Codex", "toml")}
[model_providers.script]
name = "script"
base_url = "${url}"
wire_api = "responses"
[projects."${at.project}"]
trust_level = "trusted"
`;

/* The app server of Codex: turn() runs one to its end and gives its id. */
async function serve(t, at, env) {
  const child = spawn(process.execPath, [PROGRAM, "app-server"], { cwd: at.project, env, detached: true, stdio: ["pipe", "pipe", "ignore"] });
  const waiting = new Map(), ended = [];
  const end = new Promise((resolve) => child.on("close", resolve));
  t.after(() => { try { process.kill(-child.pid, "SIGKILL"); } catch { /* it has ended */ } });
  child.stdin.on("error", () => {});
  createInterface({ input: child.stdout }).on("line", (line) => {
    const said = JSON.parse(line);
    if (said.method === "turn/completed") ended.push(said.params);
    if (said.id !== undefined && said.method === undefined) waiting.get(said.id)(said);
  });
  const send = (value) => child.stdin.write(`${JSON.stringify(value)}\n`);
  const ask = (method, params) => new Promise((resolve, reject) => {
    const id = waiting.size + 1;
    waiting.set(id, (said) => said.error ? reject(new Error(`${method}: ${said.error.message}`)) : resolve(said.result));
    send({ id, method, params });
  });
  const over = async (threadId, before) => {
    await until(() => ended.filter((one) => one.threadId === threadId).length > before);
    return ended.findLast((one) => one.threadId === threadId).turn;
  };
  const count = (threadId) => ended.filter((one) => one.threadId === threadId).length;
  const begin = (threadId, text, ...more) => ask("turn/start", { threadId, input: [{ type: "text", text, text_elements: [] }, ...more] });
  const turn = async (threadId, text, ...more) => {
    const before = count(threadId);
    await begin(threadId, text, ...more);
    const { id, status, error } = await over(threadId, before);
    assert.equal(status, "completed", JSON.stringify(error));
    return id;
  };
  /* What a request starts that is a turn of its own. */
  const turnOf = async (threadId, method, params) => {
    const before = count(threadId);
    await ask(method, { threadId, ...params });
    return over(threadId, before);
  };
  await ask("initialize", { clientInfo: { name: "test", title: "test", version: "1" }, capabilities: { experimentalApi: true } });
  send({ method: "initialized" });
  return { ask, begin, turn, turnOf, over, count, close: () => { child.stdin.end(); return end; } };
}

async function check(t, at, env, thread, gone) {
  const { faults, records, shown } = await faultsOf(env, codex, threadRecords(at.home, thread), `codex:${thread}`, gone);
  t.diagnostic(`codex:${thread}: ${records} records, ${shown} events`);
  none(faults);
}

const said = (model, marker) => model.requests.some((asked) => JSON.stringify(asked.input).includes(marker));

test("Codex: turns, tools, steering, sub-agents, compaction, rewind, fork, resume", options, async (t) => {
  const at = place(t), model = await play(SCRIPT), env = bare(at);
  t.after(model.close);
  mkdirSync(join(at.home, ".codex"));
  writeFileSync(join(at.home, ".codex/config.toml"), config(at, model.url));
  writeFileSync(join(at.home, ".codex/hooks.json"), snippet("Codex", "json"));
  const host = { ...env, PATH: `${env.PATH}:${join(process.execPath, "..")}` };
  const server = await serve(t, at, host);
  /* Nobody is there to trust the hook. */
  const { thread: { id } } = await server.ask("thread/start", { cwd: at.project, config: { bypass_hook_trust: true } });
  await server.turn(id, "mk-u-plain @@plain");
  await server.turn(id, "mk-u-tools @@tools");
  await server.turn(id, "mk-u-note @@note");
  await server.turn(id, "mk-u-picture @@picture", { type: "image", url: PICTURE });
  const before = server.count(id), { turn } = await server.begin(id, "mk-u-busy @@busy");
  await until(() => readdirSync(join(at.home, ".codex/sessions"), { recursive: true }).some((name) => String(name).endsWith(".jsonl") &&
    readFileSync(join(at.home, ".codex/sessions", String(name)), "utf8").includes("mk-a-busy")));
  await server.ask("turn/steer", { threadId: id, expectedTurnId: turn.id, input: [{ type: "text", text: "mk-u-steered @@steered", text_elements: [] }] });
  await server.over(id, before);
  await server.turn(id, "mk-u-agent @@agent");
  await t.test("before the compaction", () => check(t, at, env, id));
  await t.test("a note is of the thread", () => {
    assert.deepEqual(readdirSync(join(at.home, ".agents/notes/pi/session")), [id]);
  });

  assert.equal((await server.turnOf(id, "thread/compact/start")).status, "completed");
  await server.turn(id, "mk-u-after @@after");
  const stopping = server.count(id), stopped = await server.begin(id, "mk-u-stopped @@stopped");
  await until(() => said(model, "mk-u-stopped"));
  await new Promise((resolve) => setTimeout(resolve, 500));
  await server.ask("turn/interrupt", { threadId: id, turnId: stopped.turn.id });
  assert.equal((await server.over(id, stopping)).status, "interrupted");
  await server.turnOf(id, "thread/shellCommand", { command: "echo mk-shell" });
  await server.turnOf(id, "review/start", { target: { type: "custom", instructions: "mk-review @@review" } });
  const goal = server.count(id);
  await server.ask("thread/goal/set", { threadId: id, objective: "mk-goal @@goal" });
  await server.over(id, goal);
  await server.ask("thread/goal/clear", { threadId: id });
  await server.turn(id, "mk-u-again @@again");
  await server.turn(id, "mk-u-full @@full");
  await server.turn(id, "mk-u-next @@next");
  await t.test("after two of them, a turn that was stopped, a command of the person", async () => {
    await check(t, at, env, id);
    const { windows } = await run(env, "context-boot", { session: `codex:${id}` });
    assert.equal(windows.length, 3);
  });

  const kept = await server.turn(id, "mk-u-one @@one"), second = await server.turn(id, "mk-u-two @@two");
  await server.turn(id, "mk-u-three @@three");
  const { thread: { id: fork } } = await server.ask("thread/fork", { threadId: id, lastTurnId: kept });
  await server.turn(fork, "mk-u-forked @@forked");
  await t.test("forked", async () => {
    await check(t, at, env, fork, ["mk-u-two", "mk-out-gone", "mk-a-two", "mk-u-three", "mk-a-three"]);
    await check(t, at, env, id);
    for (const marker of ["mk-u-plain", "mk-out-two", "mk-a-one", "mk-a-forked"]) assert.equal(await found(env, marker), 1, marker);
  });

  await server.ask("thread/revert", { threadId: id, beforeTurnId: second });
  await server.turn(id, "mk-u-rewound @@rewound");
  await server.close();
  const gone = ["mk-u-two", "mk-out-gone", "mk-a-two", "mk-u-three", "mk-a-three"];
  await t.test("rewound", async () => {
    await check(t, at, env, id, gone);
    await check(t, at, env, fork, gone);
  });

  const later = await serve(t, at, host);
  await later.ask("thread/resume", { threadId: id });
  await later.turn(id, "mk-u-resumed @@resumed");
  await later.close();
  await t.test("resumed", () => check(t, at, env, id, gone));

  const last = await serve(t, at, host), { thread: { id: archived } } = await last.ask("thread/start", { cwd: at.project });
  await last.turn(archived, "mk-u-archived @@archived");
  await last.ask("thread/archive", { threadId: archived });
  await last.ask("thread/archive", { threadId: fork });
  await last.close();
  await t.test("archived", async () => {
    assert.ok(readdirSync(join(at.home, ".codex/archived_sessions")).some((name) => name.includes(archived)));
    await check(t, at, env, archived);
    await check(t, at, env, fork, gone);
  });

  await t.test("sub-agents", async () => {
    const agents = threads(at.home).filter((thread) => isSubagent(at.home, thread));
    assert.ok(agents.length >= 1);
    for (const agent of agents) await check(t, at, env, agent);
    assert.deepEqual(threads(at.home).filter((thread) => !agents.includes(thread)).sort(), [id, fork, archived].sort());
    assert.equal(await found(env, "mk-sub-out"), 0);
  });
  await t.test("the hook of README.md told the model who it is", () => assert.ok(said(model, "Agent name: codex (brain: gpt-5-2-codex)")));
});

test("Codex: a hook recalls lessons, beside the one that says who it is", options, async (t) => {
  const at = place(t), model = await play(SCRIPT), env = bare(at);
  t.after(model.close);
  mkdirSync(join(at.home, ".codex"));
  writeFileSync(join(at.home, ".codex/config.toml"), config(at, model.url));
  writeFileSync(join(at.home, ".codex/hooks.json"), snippet("Lessons", "json").replaceAll("claude", "codex"));
  assert.equal((await exec("lessons-add", ["Tag releases from main only."], { env, cwd: at.project })).code, 0);
  const server = await serve(t, at, { ...env, PATH: `${env.PATH}:${join(process.execPath, "..")}` });
  const { thread: { id } } = await server.ask("thread/start", { cwd: at.project, config: { bypass_hook_trust: true } });
  await server.turn(id, "mk-u-plain @@plain");
  await server.close();
  assert.ok(said(model, "Agent name: codex"));
  assert.ok(said(model, "PROJECT LESSONS\\n- Tag releases from main only. #1"));
});
