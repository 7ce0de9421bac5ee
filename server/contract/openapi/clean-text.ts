/**
 * Control sequences of terminals, and invisible characters: controls, zero-width ones, marks that
 * change the writing direction, tags.
 */
const UNSEEN = /(?![\t\n\r])(?:\p{Cc}(?:\[[0-?]*[ -/]*[@-~])?|\p{Cf})/gu

/**
 * Returns a tool server's text without characters that could hide instructions (security row 111),
 * for users and models.
 */
export const cleanToolText = (text: string): string => text.replaceAll(UNSEEN, '')
