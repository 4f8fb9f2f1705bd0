/*
 * gemini-model.mjs - the Gemini API on loopback, which plays a script.
 *
 * As anthropic.mjs, with its content blocks: text, thinking and tool_use, or
 * { blocks, tokens }.  What is asked without tools gets what the script has
 * under `aside`.
 */
import { createServer } from "node:http";

const bodyOf = async (request) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const text = Buffer.concat(parts).toString("utf8");
  return text === "" ? {} : JSON.parse(text);
};

function place(contents) {
  let at = -1, name;
  contents.forEach((content, i) => {
    if (content.role !== "user") return;
    for (const part of content.parts ?? [])
      for (const [, found] of (part.text ?? "").matchAll(/(?:@@|%%)(\w+)/g)) [at, name] = [i, found];
  });
  return { name, turn: contents.slice(at + 1).filter((content) => content.role === "model").length };
}

const part = (block, k, n) => ({
  text: { text: block.text },
  thinking: { text: block.thinking, thought: true },
  tool_use: { functionCall: { id: `call_${k}_${n}`, name: block.name, args: block.input } },
})[block.type];

export async function play(script) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const asked = await bodyOf(request);
    const stream = request.url.includes("streamGenerateContent");
    if (!request.url.includes("enerateContent")) {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(request.url.includes("countTokens") ? { totalTokens: 100 } : {}));
      return;
    }
    const k = requests.push(asked) - 1;
    const { name, turn } = place(asked.contents ?? []);
    const chosen = !asked.tools?.length ? script.aside(k) : script[name]?.[turn] ?? `mk-over-${k}`;
    const { blocks, tokens = 10 } = typeof chosen === "string" ? { blocks: [{ type: "text", text: chosen }] } : Array.isArray(chosen) ? { blocks: chosen } : chosen;
    const answer = JSON.stringify({ candidates: [{ content: { role: "model", parts: blocks.map((block, n) => part(block, k, n)) }, finishReason: "STOP", index: 0 }],
      usageMetadata: { promptTokenCount: tokens, candidatesTokenCount: 1, totalTokenCount: tokens + 1 }, modelVersion: "m", responseId: `r${k}` });
    response.writeHead(200, { "content-type": stream ? "text/event-stream" : "application/json" });
    response.end(stream ? `data: ${answer}\n\n` : answer);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    requests, url: `http://127.0.0.1:${server.address().port}`,
    close: () => { server.close(); server.closeAllConnections(); },
  };
}
