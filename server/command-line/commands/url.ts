import { print, type Command } from '../command.ts'
import { requireGateway } from '../find-gateway.ts'
import { openPage } from '../open-page.ts'

export const url: Command = {
  name: 'url',
  usage: '',
  summary: 'Prints the address of the running gateway.',
  async run(call) {
    const gateway = requireGateway(call.dataDirs)
    print(call, { url: gateway.url }, gateway.url)
  },
}

export const open: Command = {
  name: 'open',
  usage: '',
  summary: 'Opens the interface in the browser.',
  async run(call) {
    const gateway = requireGateway(call.dataDirs)
    print(call, { url: gateway.url }, gateway.url)
    await openPage(gateway.url)
  },
}
