/*
 * anthropic.mjs - the Messages API on loopback, which plays a script.
 *
 * A person's message names a part of the script, as in `@@tools`; the n-th
 * request after it gets the n-th turn of that part: a text, a list of content
 * blocks, or an object { blocks, status, wait, tokens }.  A request that asks
 * for a summary gets one; what else is asked on the side, without tools, gets
 * what the script has under `aside`.
 */
import { createServer } from "node:http";

const bodyOf = async (request) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const text = Buffer.concat(parts).toString("utf8");
  return text === "" ? {} : JSON.parse(text);
};

const textsOf = (content) => typeof content === "string" ? [content]
  : (content ?? []).filter((block) => block.type === "text").map((block) => block.text);

/* The part that was named last, and how many turns of it were played. */
function place(messages) {
  let at = -1, name;
  messages.forEach((message, i) => {
    if (message.role !== "user") return;
    for (const text of textsOf(message.content))
      for (const [, found] of text.matchAll(/(?:@@|%%)(\w+)/g)) [at, name] = [i, found];
  });
  return { name, turn: messages.slice(at + 1).filter((message) => message.role === "assistant").length };
}

const asksForSummary = (messages) =>
  textsOf(messages.at(-1).content).some((text) => /your task is to create a detailed summary/i.test(text));

function choose(script, asked, k) {
  if (asksForSummary(asked.messages)) return `<analysis>x</analysis>\n<summary>\nmk-summary-${k}\n</summary>`;
  if (!asked.tools?.length) return script.aside?.(k) ?? '{"title":"a title"}';
  const { name, turn } = place(asked.messages);
  return script[name]?.[turn] ?? `mk-over-${k}`;
}

/* A reply as the events of its stream. */
function* events(asked, k, blocks, tokens) {
  const usage = { input_tokens: tokens, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  yield ["message_start", { message: { id: `msg_${k}`, type: "message", role: "assistant", model: asked.model, content: [],
    stop_reason: null, stop_sequence: null, usage } }];
  for (const [index, block] of blocks.entries()) {
    const [empty, delta] = {
      text: [{ type: "text", text: "" }, { type: "text_delta", text: block.text }],
      thinking: [{ type: "thinking", thinking: "", signature: "" }, { type: "thinking_delta", thinking: block.thinking }],
      tool_use: [{ type: "tool_use", id: block.id ?? `toolu_${k}_${index}`, name: block.name, input: {} },
        { type: "input_json_delta", partial_json: JSON.stringify(block.input) }],
    }[block.type];
    yield ["content_block_start", { index, content_block: empty }];
    yield ["content_block_delta", { index, delta }];
    if (block.type === "thinking") yield ["content_block_delta", { index, delta: { type: "signature_delta", signature: "c2ln" } }];
    yield ["content_block_stop", { index }];
  }
  const stop_reason = blocks.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn";
  yield ["message_delta", { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 10 } }];
  yield ["message_stop", {}];
}

export async function play(script) {
  const requests = [], failed = new Set();
  const server = createServer(async (request, response) => {
    const json = (status, value) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(value));
    };
    const asked = await bodyOf(request);
    if (!/\/messages(\?|$)/.test(request.url)) {
      json(200, request.url.includes("count_tokens") ? { input_tokens: 100 } : {});
      return;
    }
    const k = requests.push(asked) - 1;
    let turn = choose(script, asked, k);
    if (typeof turn === "string") turn = { blocks: [{ type: "text", text: turn }] };
    if (Array.isArray(turn)) turn = { blocks: turn };
    if (turn.status !== undefined && !failed.has(turn)) {
      failed.add(turn);
      json(turn.status, { type: "error", error: { type: "overloaded_error", message: "Overloaded" } });
      return;
    }
    await turn.wait?.();
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const [type, data] of events(asked, k, turn.blocks, turn.tokens ?? 10))
      response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
    response.end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    requests, url: `http://127.0.0.1:${server.address().port}`,
    close: () => { server.close(); server.closeAllConnections(); },
  };
}
