/**
 * Returns the folder of the files that were inside of the messages of an archive, beside the file of
 * its chats; both are deleted together.
 */
export const keptFilesOf = (target: string): string => `${target}-files`
