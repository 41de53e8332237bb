import { join } from 'node:path'

export default {
  entry: './src/main.ts',
  // Beside index.html, which the development server serves from there too.
  output: { path: join(import.meta.dirname, 'public') },
  resolve: { extensions: ['.ts', '.js'] },
  module: {
    // Types are checked by `npm run types`.
    rules: [{ test: /\.ts$/, loader: 'ts-loader', options: { transpileOnly: true } }],
  },
  performance: { hints: false },
}
