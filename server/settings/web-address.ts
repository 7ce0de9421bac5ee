/** The pattern of settings that are addresses; empty stands for none. */
export const WEB_ADDRESS = {
  expression: /^(https?:\/\/[^\s/?#]+(\/\S*)?)?$/i,
  words: 'an address that starts with http:// or https://',
}
