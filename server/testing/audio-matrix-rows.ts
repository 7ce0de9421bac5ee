import { admin, user, type MatrixRow } from './matrix-row.ts'

const NO_ID = '00000000-0000-4000-8000-000000000000'

/** Rows for the audio endpoints. No engine is selected until an administrator selects one. */
export const audioRows: Readonly<Record<string, MatrixRow>> = {
  'audio.config': admin(),
  // The request passes authorisation and fails at the field validation.
  'audio.updateConfig': admin({ status: 422, body: () => ({}) }),
  'audio.speech': user(404, { input: 'Good morning.' }),
  // The request passes authorisation and fails at the form validation.
  'audio.transcriptions': user(415, {}),
  'audio.models': user(),
  'audio.voices': user(),
  'audio.localState': admin(),
  'audio.localDownload': admin({ body: () => ({ name: 'no such model' }), status: 400 }),
  'audio.localPause': admin({ params: () => ({ id: NO_ID }), status: 404 }),
  'audio.localResume': admin({ params: () => ({ id: NO_ID }), status: 404 }),
  'audio.localCancel': admin({ params: () => ({ id: NO_ID }), status: 404 }),
  'audio.localUpload': admin({ query: '?filename=a.bin', status: 415 }),
  'audio.localUse': admin({ params: () => ({ name: 'none' }), status: 404 }),
  'audio.localRemove': admin({ params: () => ({ name: 'none' }), status: 404 }),
}
