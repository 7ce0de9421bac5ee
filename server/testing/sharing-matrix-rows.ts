import { admin, open, user, type MatrixRow } from './matrix-row.ts'

/**
 * Sharing is turned on and off again in the order of the table; calls that require it are then
 * refused.
 */
export const sharingRows: Readonly<Record<string, MatrixRow>> = {
  'sharing.status': admin(),
  'sharing.turnOn': admin({ body: () => ({ addresses: ['127.0.0.1'] }) }),
  'sharing.turnOff': admin(),
  'sharing.devices': admin(),
  'sharing.endDevice': admin({ params: () => ({ session_id: 'none' }), status: 404 }),
  'sharing.authority': open(404),
  'sharing.bringCertificate': admin({ body: () => ({ certificate: '', key: '' }), status: 400 }),
  'sharing.dropCertificate': admin(),
  'sharing.passes': admin(),
  'sharing.createPass': admin({
    body: () => ({ name: 'Visitor', models: ['guide'], hours: 1, messages: 1 }),
    status: 409,
  }),
  'sharing.endPass': admin({ params: () => ({ pass_id: 'none' }), status: 404 }),
  'sharing.enter': open(401, { secret: 'x'.repeat(43) }),
  'sharing.ownPass': user(),
}
