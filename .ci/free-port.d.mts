// For the TypeScript of the tests, which does not read the types in comments.
export function freePort(): Promise<number>
