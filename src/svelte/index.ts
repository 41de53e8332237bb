export { useTool } from './use-tool.ts'
