/**
 * The names of the texts, apart from them: a wrong one is found before the texts are fetched. One string, as a list of
 * the names would be a tenth of what an app with a client loads at start; a test keeps it whole.
 */
export const mcpTextNames: readonly string[] = (
  'noName emptyName longName unreadableDefinition duplicateName tooManyTools largeDefinition ' +
  'largeDefinitions refusedInputSchema excess noSchema noObject endlessSchema unusableSchema ' +
  'hiddenInName markupInName longSchemaName unusableNamePattern wrongNeeds tooManyPatterns ' +
  'longPattern noPattern complicatedPattern slowPattern hiddenInPattern markupInPattern ' +
  'hiddenCharacters htmlComment chatMarkup blankRun overLong noDescription noInputSchema ' +
  'unusedOutputSchema uncheckedPattern changedValue markupInValue longValue givesOrders ' +
  'namesOtherTools descriptionInstead cutNote mustMatch toolChanged moreChanges tooManyPins ' +
  'pinsNotKept noOutput failed content unknownContent unreadableContent moreContent cutOff mismatch ' +
  'noStructuredData structuredDataLeftOut unshownData bytesInData toolReplaced toolMissing closed ' +
  'closedByApp notConnected stillConnecting furtherTools unreadableItems'
).split(' ')
