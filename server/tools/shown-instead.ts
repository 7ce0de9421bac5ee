/** What the model reads of a result that is a page for the person. */
export const SHOWN_INSTEAD = JSON.stringify({
  status: 'success',
  code: 'ui_component',
  message: 'The result is shown to the person in a frame below the answer.',
})
