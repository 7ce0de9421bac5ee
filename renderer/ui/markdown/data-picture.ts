/** The kinds of pictures a browser draws without running anything in them. */
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/

/** Longer ones would hold up the page that draws them. */
const LONGEST = 8 * 1024 * 1024

/** Whether an address is a picture that came with the text, so that showing it asks nobody. */
export const isDataPicture = (address: unknown): address is string =>
  typeof address === 'string' && address.length <= LONGEST && PICTURE.test(address)
