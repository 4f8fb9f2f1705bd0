/*
 * inspector.test.mjs - the MCP inspector's command line, started with the
 * snippet that README.md gives for any MCP client.
 */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { MODULES, ROOT, bare, exec, place, snippet } from "./lib.mjs";

const CLI = join(MODULES, "@modelcontextprotocol/inspector-cli/build/cli.js");
const SESSION = { CTX_SESSION: "pi:019859c4-8a10-7c52-b1de-5a0c8e3f2d17", CTX_SESSION_FILE: join(ROOT, "samples", "shop.jsonl") };

/* It finds its own package.json only from its folder; CTX_CWD of the snippet says which project is meant. */
function inspector(t) {
  const at = place(t), config = join(at.dir, "config.json");
  writeFileSync(config, snippet("Any MCP client", "json"));
  const run = (...words) => exec(process.execPath, [CLI, "--cli", "--config", config, "--server", "ctx", "--method", ...words],
    { env: bare(at, SESSION), cwd: dirname(CLI) });
  return async (tool, args = {}) => {
    const words = Object.entries(args).flatMap(([name, value]) => ["--tool-arg", `${name}=${value}`]);
    const done = await run(...tool ? ["tools/call", "--tool-name", tool, ...words] : ["tools/list"]);
    return { ...done, result: done.code === 0 && JSON.parse(done.stdout) };
  };
}

test("the inspector lists the tools, and calls them", { timeout: 120000 }, async (t) => {
  const call = inspector(t);
  const listed = await call();
  assert.equal(listed.code, 0, listed.stderr);
  assert.equal(listed.result.tools.length, 7);
  assert.ok(listed.result.tools.every((tool) => tool.outputSchema));
  for (const [tool, args, text] of [
    ["notes_write", { address: "@project/retry", content: "Checkout tries three times." }, "created @project/retry.md (project shop-api-17b5613d)"],
    ["notes_update", { address: "@project/retry", edits: '[{"oldText":"three","newText":"five"}]' }, "updated @project/retry.md (project shop-api-17b5613d): 1 edit"],
    ["history_read", { seq: 1 }, "Z\u00fcrich"],
  ]) {
    const { result, stderr } = await call(tool, args);
    assert.equal(result?.isError, false, stderr);
    assert.ok(result.content[0].text.includes(text), result.content[0].text);
    assert.equal(typeof result.structuredContent, "object");
  }
});

test("the inspector shows a refusal and a wrong argument as answers", { timeout: 120000 }, async (t) => {
  const call = inspector(t);
  const refused = (await call("notes_write", { address: "@agents/ana/todo", content: "x" })).result;
  assert.deepEqual([refused.isError, refused.structuredContent.code], [true, "invalid_scope"]);
  assert.match(refused.content[0].text, /yours is @self\/todo\.md$/);
  const wrong = (await call("notes_read", { address: "@project/retry", surprise: 1 })).result;
  assert.deepEqual([wrong.isError, wrong.structuredContent.code], [true, "invalid_arguments"]);
});
