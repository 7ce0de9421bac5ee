/** Returns whether the window is as narrow as a phone, on which a whole page cannot be read. */
export const isOnPhone = (): boolean => matchMedia('(width < 40rem)').matches
