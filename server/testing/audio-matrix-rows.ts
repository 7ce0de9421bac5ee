import { admin, user, type MatrixRow } from './matrix-row.ts'

/** The endpoints of speech. No engine is chosen unless an administrator does. */
export const audioRows: Readonly<Record<string, MatrixRow>> = {
  'audio.config': admin(),
  // The caller comes as far as the fields.
  'audio.updateConfig': admin({ status: 422, body: () => ({}) }),
  'audio.speech': user(404, { input: 'Good morning.' }),
  // The caller comes as far as the form.
  'audio.transcriptions': user(415, {}),
  'audio.models': user(),
  'audio.voices': user(),
}
