/** Media query of windows in which one button holds all that goes along with a message. */
export const ON_PHONE = '(width < 40rem) and (pointer: coarse)'
