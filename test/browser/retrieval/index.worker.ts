import { serveToolIndex } from 'offstage/retrieval'

serveToolIndex()

// What a test does to the worker from outside.
addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (data === 'hang') for (;;);
})
