/** How this library names itself to servers. A test compares it with package.json. */
export const clientInfo: { readonly name: string; readonly version: string } = {
  name: 'offstage',
  version: '0.1.0',
}
