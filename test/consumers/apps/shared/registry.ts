import { ToolRegistry } from 'offstage'

/** The tools of the page. */
export const registry = new ToolRegistry()
