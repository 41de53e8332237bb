/** How the companion names itself. A test compares the version with package.json. */
export const companionInfo: { readonly name: string; readonly version: string } = {
  name: 'offstage-companion',
  version: '0.1.0',
}
