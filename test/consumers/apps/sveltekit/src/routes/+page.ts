// Rendered on the server in development, and into a file by the build.
export const ssr = true
export const prerender = true
