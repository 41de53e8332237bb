/** Gives a style sheet, made when it is first asked for: where a module is only imported, there may be no page. */
export function styleSheetOf(rules: string): () => CSSStyleSheet {
  let sheet: CSSStyleSheet | undefined
  return () => {
    if (sheet === undefined) {
      sheet = new CSSStyleSheet()
      sheet.replaceSync(rules)
    }
    return sheet
  }
}
