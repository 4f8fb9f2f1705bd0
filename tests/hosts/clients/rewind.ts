/* rewind.ts - goes to another place of the session's tree, as /tree does. */
export default function (pi: any) {
  pi.registerCommand("rewind", {
    description: "Go to an entry",
    handler: async (args: string, ctx: any) => {
      const [entry, summarize] = args.split(" ");
      await ctx.waitForIdle();
      await ctx.navigateTree(entry, { summarize: summarize === "summarize" });
    },
  });
}
