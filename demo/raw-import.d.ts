/** The text of a file, as Vite gives it for `import text from './file.ts?raw'`. */
declare module '*?raw' {
  const text: string
  export default text
}
