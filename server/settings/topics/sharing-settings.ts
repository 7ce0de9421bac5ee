import type { SettingDefinition } from '../setting-definition.ts'

const IP_ADDRESS = {
  expression: /^[\da-f.:]{2,45}$/i,
  words: 'an address of the gateway such as 192.168.1.20',
}

/** Settings of access for devices of the local network. */
export const sharingSettings = [
  {
    key: 'ENABLE_SHARING',
    name: 'Share with your network',
    type: 'boolean',
    default: false,
    help: 'Lets devices of your network open the gateway, over HTTPS on a second port.',
  },
  {
    key: 'SHARING_ADDRESSES',
    name: 'Shared addresses',
    type: 'list',
    default: [],
    pattern: IP_ADDRESS,
    help: 'Addresses of the gateway’s computer that devices of your network can open; empty means every private one.',
  },
  {
    key: 'SHARING_PORT',
    name: 'Port for your network',
    type: 'integer',
    default: 8643,
    minimum: 1,
    maximum: 65_535,
    help: 'Port for devices of your network. If it is taken, the next free one is used.',
  },
] as const satisfies readonly SettingDefinition[]
