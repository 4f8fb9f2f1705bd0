/*
 * lessons.test.mjs - the lessons family in the hands of hosts, as README.md
 * configures it: recalled by hooks and by the extension of Pi, proposed over
 * MCP, and approved by a person in another terminal.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { HERE, MODULES, bare, exec, load, place, snippet, until } from "./lib.mjs";
import { play } from "./pi/model.mjs";

const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/client/stdio.js");

const options = { timeout: 120000 };
const SESSION = "11111111-2222-3333-4444-555555555555";
const [HOOKS, SERVER] = [1, 2].map((n) => JSON.parse(snippet("Lessons", "json", n)));
const [START, DECIDE] = [1, 2].map((n) => snippet("Lessons", "sh", n));

/* A program, as the person runs it in the project; its result. */
async function person(at, line, more = {}) {
  const { code, stdout, stderr } = await exec("sh", ["-c", line], { env: bare(at, more), cwd: at.project });
  assert.equal(code, 0, `${line}: ${stdout}${stderr}`);
  return stdout;
}

/* Another terminal: what is answered to each prompt, once it stands there. */
async function terminal(at, line, answers) {
  const child = spawn("script", ["-qefc", line, "/dev/null"], { env: bare(at, { SHELL: "/bin/sh", TERM: "dumb" }), cwd: at.project,
    stdio: ["pipe", "pipe", "inherit"] });
  at.children.push(child);
  let shown = "", from = 0;
  child.stdout.on("data", (bytes) => { shown += bytes; });
  const end = new Promise((resolve) => child.on("close", resolve));
  for (const [prompt, answer] of answers) {
    await until(() => shown.indexOf(prompt, from) >= 0);
    from = shown.indexOf(prompt, from) + prompt.length;
    child.stdin.write(`${answer}\n`);
  }
  assert.equal(await end, 0, shown);
  return shown.replaceAll("\r", "");
}

/* The server as README.md has it, under a client of one session. */
async function connect(t, at) {
  const { command, args, env } = SERVER.mcpServers.ctx;
  const client = new Client({ name: "claude-code", version: "1" });
  t.after(() => client.close());
  await client.connect(new StdioClientTransport({ command, args, cwd: at.project, stderr: "ignore",
    env: bare(at, { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: SESSION, CLAUDE_PROJECT_DIR: at.project, ...env }) }));
  return async (name, args) => {
    const { isError, content } = await client.callTool({ name, arguments: args }, undefined, { timeout: 100000 });
    assert.equal(content.length, 1);
    return [isError, content[0].text];
  };
}

const learn = (at, session, text) => person(at, `echo '${JSON.stringify({ action: "add", text, evidence: "CI failed.", basis: "validated_fix" })}' |
  memory --session pi:${session}`);
const status = async (at) => JSON.parse(await person(at, `lessons-status -j --session claude:${SESSION}`));
const pending = async (at) => (await status(at)).candidates.pending;
/* Until the agent's proposal is there. */
async function proposal(at) {
  while ((await status(at)).review.state !== "submitted");
}

test("Claude Code and Codex: a hook recalls, beside the one that says who it is", options, async (t) => {
  const at = place(t);
  await person(at, "lessons-add 'Tag releases from main only.' && lessons-add --global 'Say what was not tested.'");
  const [{ matcher, hooks }] = HOOKS.hooks.SessionStart;
  for (const host of ["claude", "codex"])
    for (const source of matcher.split("|")) {
      const input = JSON.stringify({ session_id: SESSION, transcript_path: null, cwd: at.project, hook_event_name: "SessionStart",
        model: "m", permission_mode: "default", source });
      const said = [];
      for (const { type, command, timeout } of hooks) {
        assert.equal(type, "command");
        const line = command.replaceAll("claude", host);
        const { code, stdout, stderr } = await exec("sh", ["-c", line], { env: bare(at), cwd: "/", input, seconds: timeout });
        assert.deepEqual([code, stderr], [0, ""], line);
        said.push(stdout);
      }
      assert.match(said[0], new RegExp(`^Agent name: ${host} `, "m"));
      assert.equal(said[1], "GLOBAL LESSONS\n- Say what was not tested. #2\n\nPROJECT LESSONS\n- Tag releases from main only. #1\n");
    }
});

test("MCP: an agent submits and groups, and a person promotes in another terminal", options, async (t) => {
  const at = place(t);
  const call = await connect(t, at);
  await learn(at, "s1", "Run the linter before pushing.");
  await learn(at, "s2", "Lint before each push.");
  const [failed, text] = await call("memory", { action: "add", text: "Lint, then push.", evidence: "Two builds failed.", basis: "validated_fix" });
  assert.equal(failed, false, text);
  assert.equal(await pending(at), 3);

  const document = await person(at, START, { CLAUDE_CODE_SESSION_ID: SESSION });
  const [, evaluationId] = /evaluationId `([0-9a-f-]+)`/.exec(document);
  /* The session that reads all candidates no longer writes of its own accord. */
  assert.match((await call("memory", { action: "archive", id: 1 }))[1], /review pending/);
  const proposed = call("memory_evaluate", { evaluationId, groups: [{ candidateIds: [1, 2, 3], text: "Run the linter before pushing.",
    evidence: "Two builds failed.", scope: "project", reason: "The same advice.", recommend: true }] });
  await proposal(at);

  const shown = await terminal(at, DECIDE, [["Group 1-1, finish", "1"], ["yes, no, edit", "yes"], ["finish (1 promotion", "finish"]]);
  assert.match(shown, /Occurrences: 3\/2/);
  assert.deepEqual(await proposed, [false, "evaluation finished: 1 promoted, 0 pending (0 new)\ngroup 0: lesson #1 created"]);
  assert.equal(await person(at, "lessons-recall -t"), "PROJECT LESSONS\n- Run the linter before pushing. #1\n");
});

test("MCP: an audit that a person cancels, and one that is applied", options, async (t) => {
  const at = place(t);
  const call = await connect(t, at);
  await person(at, "lessons-add 'Tag releases from main only.'");
  for (const [answer, outcome, left] of [["", /cancelled/, 1], ["apply", /archived|applied/, 0]]) {
    const document = await person(at, START.replace("evaluate", "audit"), { CLAUDE_CODE_SESSION_ID: SESSION });
    const [, auditId] = /auditId `([0-9a-f-]+)`/.exec(document);
    const proposed = call("memory_audit", { auditId, changes: [{ id: 1, action: "archive", reason: "CI does it." }] });
    await proposal(at);
    const shown = await terminal(at, DECIDE, [["Type apply, or press Enter to cancel: ", answer]]);
    assert.match(shown, /#1[^]*Tag releases from main only\.[^]*CI does it\./);
    assert.match((await proposed)[1], outcome);
    assert.equal((await status(at)).lessons.project.active, left);
  }
});

test("Pi: the extension recalls for each prompt, and gives the model the tools", options, async (t) => {
  const at = place(t);
  await person(at, "lessons-add 'Tag releases from main only.'");
  const model = await play([
    [["memory", { action: "add", text: "Lint, then push.", evidence: "Two builds failed.", basis: "validated_fix" }]],
    "It is kept.",
  ]);
  t.after(model.close);
  const agent = join(at.dir, "agent");
  mkdirSync(agent);
  writeFileSync(join(agent, "models.json"), JSON.stringify({ providers: { script: {
    baseUrl: model.url, api: "openai-completions", apiKey: "none", models: [{ id: "model" }] } } }));
  const env = bare(at, { CTX_BIN: process.env.CTX_BIN, CTX_FAMILIES: "notes,history,lessons", PI_CODING_AGENT_DIR: agent, PI_OFFLINE: "1", PI_TELEMETRY: "0" });
  const pi = await exec(process.execPath, [join(MODULES, "@mariozechner/pi-coding-agent/dist/cli.js"), "--provider", "script",
    "--model", "model", "--no-builtin-tools", "-e", join(HERE, "pi/ctxtools.ts"), "-p", "How do we release?"], { env, cwd: at.project, seconds: 100 });
  assert.deepEqual([pi.code, pi.stdout.trim()], [0, "It is kept."], pi.stderr);
  const [first, second] = model.requests;
  assert.match(JSON.stringify(first.messages[0]), /PROJECT LESSONS\\n- Tag releases from main only\. #1/);
  for (const name of ["memory", "memory_audit", "memory_evaluate"])
    assert.ok(first.tools.some((tool) => tool.function.name === name), name);
  assert.match(JSON.stringify(second.messages.at(-1)), /Stored as a private candidate of this session/);
  assert.equal(await pending(at), 1);
});
