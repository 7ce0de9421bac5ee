import { admin, type MatrixRow } from './matrix-row.ts'

export const outgoingRows: Readonly<Record<string, MatrixRow>> = {
  'outgoing.list': admin(),
  'outgoing.hosts': admin(),
  'outgoing.status': admin(),
  'outgoing.export': admin(),
  'outgoing.clear': admin(),
}
