/** Text for the model in place of a page shown to the user. */
export const SHOWN_INSTEAD = JSON.stringify({
  status: 'success',
  code: 'ui_component',
  message: 'The result is shown to the person in a frame below the answer.',
})
