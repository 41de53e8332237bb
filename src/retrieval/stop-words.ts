const english = `
a about above after again against all am an and any are as at be because been before being below between both but by
can cannot could did do does doing don down during each few for from further had has have having he her here hers
herself him himself his how i if in into is it its itself just let me more most my myself no nor not now of off on once
only or other ought our ours ourselves out over own same she should so some such than that the their theirs them
themselves then there these they this those through to too under until up very was we were what when where which while
who whom why will with would you your yours yourself yourselves
also additionally furthermore moreover finally please kindly hello hi hey thanks thank appreciate
want wants wanted need needs needed like love wish hope hoping help assist assistance guide let know tell
looking trying wonder wondering curious interested able going sure really could shall may might must
isn aren wasn weren haven hasn hadn doesn didn won wouldn shan shouldn couldn mustn ain
s t d m ll re ve o y
mcp
`

const chinese = '的了是我你您请吗呢吧啊和与及或在把被给这那也都就想要帮个们'

/**
 * Words that say nothing about what a tool does, as they stand in a text in lower case, and Chinese characters that do so
 * when they stand alone. With the name of the protocol, which is in the names of many servers.
 */
export const stopWords: ReadonlySet<string> = new Set([...english.trim().split(/\s+/), ...chinese])
