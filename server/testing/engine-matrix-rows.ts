import { admin, type MatrixRow } from './matrix-row.ts'

const NO_ID = '00000000-0000-4000-8000-000000000000'

/** Only administrators may use the models of this computer. */
export const engineRows: Readonly<Record<string, MatrixRow>> = {
  'engine.state': admin(),
  'engine.download': admin({ body: () => ({ source: 'no address' }), status: 400 }),
  'engine.pause': admin({ params: () => ({ id: NO_ID }), status: 404 }),
  'engine.resume': admin({ params: () => ({ id: NO_ID }), status: 404 }),
  'engine.cancel': admin({ params: () => ({ id: NO_ID }), status: 404 }),
  'engine.upload': admin({ query: '?filename=a.gguf', status: 415 }),
  'engine.remove': admin({ params: () => ({ name: 'none' }), status: 404 }),
  'engine.cudaOffer': admin({ status: 409 }),
  'engine.cudaDownload': admin({ status: 409 }),
  'engine.cudaRemove': admin(),
}
