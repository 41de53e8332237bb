import { Agent, type ModelAdapter, type Toolkit } from 'offstage'
import { ToolRetriever, ToolSearchTool } from 'offstage/retrieval'

/** Finds the eight tools that fit a text; `index()` builds its index, in slices between which the page draws. */
export function makeRetriever(servers: readonly Toolkit[]): ToolRetriever {
  return new ToolRetriever(servers, { topK: 8 })
}

/** An agent that is offered what fits the question, and can search for more. */
export function makeAgent(model: ModelAdapter, retriever: ToolRetriever, deny: readonly string[]): Agent {
  return new Agent({
    model,
    toolRetriever: retriever,
    tools: [new ToolSearchTool(retriever, { topK: 3 })],
    // What is denied is neither offered nor found.
    permissions: { deny },
  })
}
