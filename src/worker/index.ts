export { serveTools } from './serve-tools.ts'
