import { integer, list, toggle } from '../rows.ts'
import type { SettingDefinition } from '../setting-definition.ts'

const IP_ADDRESS = {
  expression: /^[\da-f.:]{2,45}$/i,
  words: 'an address of the gateway such as 192.168.1.20',
}

/** Settings of access for devices of the local network. */
export const sharingSettings = [
  toggle('ENABLE_SHARING', false, {
    name: 'Share with your network',
    help: 'Lets devices of your network open the gateway, over HTTPS on a second port.',
  }),
  list('SHARING_ADDRESSES', [], {
    name: 'Shared addresses',
    pattern: IP_ADDRESS,
    help: 'Addresses of the gateway’s computer that devices of your network can open; empty means every private one.',
  }),
  integer('SHARING_PORT', 8643, [1, 65_535], {
    name: 'Port for your network',
    help: 'Port for devices of your network. If it is taken, the next free one is used.',
  }),
] as const satisfies readonly SettingDefinition[]
