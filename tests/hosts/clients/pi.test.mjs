/*
 * pi.test.mjs - Pi, driven by a scripted model through its RPC mode: every
 * record of every session that it writes is what the programs show of it.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { BIN, HERE, MODULES, bare, place, until } from "../lib.mjs";
import { play } from "./anthropic.mjs";
import { call, faultsOf, found, none } from "./check.mjs";
import { pi } from "./pi.mjs";

const PROGRAM = join(MODULES, "@earendil-works/pi-coding-agent/dist/bundle/cli.js");
const options = { timeout: 300000 };
const PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const use = (name, input) => ({ type: "tool_use", name, input });
const say = (text) => ({ type: "text", text });
const bash = (command) => use("bash", { command });

const SCRIPT = {
  aside: (k) => `mk-summary-${k}`,
  plain: [[{ type: "thinking", thinking: "mk-thought" }, say("mk-a-plain")]],
  tools: [[say("mk-a-tools"), bash("echo mk-out-one"), bash("echo mk-out-two; exit 3"), use("read", { path: "/nonexistent/mk-file" })],
    [use("no_such", { x: "mk-unknown" })], "mk-a-tools-end"],
  note: [[use("notes_write", { address: "where", content: "mk-note" }), use("notes_write", { address: "@agents/bob/x", content: "mk-refused" })],
    [use("notes_update", { address: "where", edits: [{ oldText: "note", newText: "changed" }] })], "mk-a-note"],
  busy: [[say("mk-a-busy"), bash("sleep 1.2; echo mk-out-busy")], "mk-a-busy-end"], steered: ["mk-a-steered"], followed: ["mk-a-followed"],
  stopped: [[say("mk-a-stopped"), bash("sleep 30; echo mk-never")]],
  retried: [{ status: 529, blocks: [say("mk-a-retried")] }],
  one: ["mk-a-one"], two: [[bash("echo mk-out-gone")], "mk-a-two"], three: ["mk-a-three"],
  picture: ["mk-a-picture"], after: ["mk-a-after"], rewound: ["mk-a-rewound"], summarized: ["mk-a-summarized"], forked: ["mk-a-forked"], resumed: ["mk-a-resumed"], other: ["mk-a-other"],
};

/* Pi in RPC mode: run() is a prompt and all that comes of it. */
function open(t, at, env, ...more) {
  const child = spawn(process.execPath, [PROGRAM, "--mode", "rpc", "--provider", "script", "--model", "large", "-e", join(HERE, "pi/ctxtools.ts"),
    "-e", join(HERE, "clients/rewind.ts"), ...more], { cwd: at.project, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  const waiting = new Map(), err = [];
  let settled = 0;
  const end = new Promise((resolve) => child.on("close", resolve));
  t.after(() => { try { process.kill(-child.pid, "SIGKILL"); } catch { /* it has ended */ } });
  child.stderr.on("data", (bytes) => err.push(bytes));
  child.stdin.on("error", () => {});
  createInterface({ input: child.stdout }).on("line", (line) => {
    const said = JSON.parse(line);
    if (said.type === "agent_settled") settled++;
    if (said.type === "response") waiting.get(said.id)?.(said);
  });
  const ask = (type, more) => new Promise((resolve, reject) => {
    const id = `${waiting.size + 1}`;
    waiting.set(id, (said) => said.success ? resolve(said.data) : reject(new Error(`${type}: ${said.error}`)));
    end.then(() => reject(new Error(`ended: ${Buffer.concat(err)}`)));
    child.stdin.write(`${JSON.stringify({ id, type, ...more })}\n`);
  });
  const done = (before) => until(() => settled > before);
  const run = async (message, more) => {
    const before = settled;
    await ask("prompt", { message, ...more });
    await done(before);
  };
  return { ask, run, done, count: () => settled, close: () => { child.stdin.end(); return end; } };
}

const idOf = (file) => JSON.parse(readFileSync(file, "utf8").split("\n")[0]).id;

async function check(t, env, file, gone) {
  const id = idOf(file);
  const { faults, records, shown } = await faultsOf(env, pi, file, `pi:${id}`, gone);
  t.diagnostic(`pi:${id}: ${records} records, ${shown} events`);
  none(faults);
}

test("Pi: turns, tools, steering, a rewind with and without summary, compaction, fork, resume", options, async (t) => {
  const at = place(t), model = await play(SCRIPT);
  t.after(model.close);
  const dir = join(at.home, ".pi/agent");
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "models.json"), JSON.stringify({ providers: { script: { baseUrl: model.url, api: "anthropic-messages", apiKey: "none",
    models: [{ id: "large", input: ["text", "image"], contextWindow: 200000 }] } } }));
  writeFileSync(join(dir, "settings.json"), JSON.stringify({ compaction: { keepRecentTokens: 20 }, retry: { baseDelayMs: 50 } }));
  const env = bare(at), host = { ...env, CTX_BIN: BIN, CTX_AGENT: "ana", PI_OFFLINE: "1", PI_TELEMETRY: "0" };
  const first = open(t, at, host);
  const state = async () => (await first.ask("get_state")).sessionFile;
  await first.run("mk-u-plain @@plain");
  const file = await state(), id = idOf(file);
  await first.run("mk-u-tools @@tools");
  await first.run("mk-u-note @@note");
  await first.run("mk-u-picture @@picture", { images: [{ type: "image", data: PICTURE, mimeType: "image/png" }] });
  const before = first.count();
  await first.ask("prompt", { message: "mk-u-busy @@busy" });
  await until(() => readFileSync(file, "utf8").includes("mk-a-busy"));
  await first.ask("steer", { message: "mk-u-steered @@steered" });
  await first.ask("follow_up", { message: "mk-u-followed @@followed" });
  await first.done(before);
  await first.run("mk-u-retried @@retried");
  await first.ask("bash", { command: "echo mk-shell" });
  const stopping = first.count();
  await first.ask("prompt", { message: "mk-u-stopped @@stopped" });
  await until(() => readFileSync(file, "utf8").includes("mk-a-stopped"));
  await first.ask("abort");
  await first.done(stopping);
  await t.test("before the compaction", () => check(t, env, file));
  await t.test("a note is of the session", () => assert.deepEqual(readdirSync(join(at.home, ".agents/notes/pi/session")), [id]));

  await first.ask("compact");
  await first.run("mk-u-after @@after");
  await t.test("after it", async () => {
    await check(t, env, file);
    const { windows } = await call(env, "context-boot", { session: `pi:${id}` });
    assert.equal(windows.length, 2);
  });

  await first.run("mk-u-one @@one");
  const entry = (marker) => readFileSync(file, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line))
    .find((one) => one.message?.role === "assistant" && JSON.stringify(one).includes(marker)).id;
  const place1 = entry("mk-a-one");
  await first.run("mk-u-two @@two");
  await first.run("mk-u-three @@three");
  await first.ask("prompt", { message: `/rewind ${place1}` });
  await first.run("mk-u-rewound @@rewound");
  const gone = ["mk-u-two", "mk-out-gone", "mk-a-two", "mk-u-three", "mk-a-three"];
  await t.test("rewound", () => check(t, env, file, gone));
  await first.ask("prompt", { message: `/rewind ${place1} summarize` });
  await first.run("mk-u-summarized @@summarized");
  gone.push("mk-u-rewound", "mk-a-rewound");
  await t.test("rewound with a summary", () => check(t, env, file, gone));

  const { messages } = await first.ask("get_fork_messages");
  await first.ask("fork", { entryId: messages.find((one) => one.text.includes("mk-u-one")).entryId });
  await first.run("mk-u-forked @@forked");
  const fork = await state();
  await first.ask("new_session");
  await first.run("mk-u-other @@other");
  const other = await state();
  await first.close();
  await t.test("forked, and a new session", async () => {
    assert.equal(new Set([file, fork, other]).size, 3);
    await check(t, env, fork);
    await check(t, env, other);
    await check(t, env, file, gone);
    for (const marker of ["mk-u-plain", "mk-out-two", "mk-a-after", "mk-a-forked"]) assert.equal(await found(env, marker), 1, marker);
  });

  const later = open(t, at, host, "--session", file);
  await later.run("mk-u-resumed @@resumed");
  await later.close();
  await t.test("resumed", () => check(t, env, file, gone));
  await t.test("no session is left out", () => {
    const written = readdirSync(join(dir, "sessions"), { recursive: true }).map(String).filter((name) => name.endsWith(".jsonl"));
    assert.deepEqual(written.map((name) => join(dir, "sessions", name)).sort(), [file, fork, other].sort());
  });
});
