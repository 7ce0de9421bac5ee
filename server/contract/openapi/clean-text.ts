/**
 * Control sequences of terminals, and characters nobody sees: controls, zero-width ones, marks that
 * turn the direction of writing, tags.
 */
const UNSEEN = /(?![\t\n\r])(?:\p{Cc}(?:\[[0-?]*[ -/]*[@-~])?|\p{Cf})/gu

/**
 * Text of a tool server as people and models see it: without what could hide instructions (security
 * row 111).
 */
export const cleanToolText = (text: string): string => text.replaceAll(UNSEEN, '')
