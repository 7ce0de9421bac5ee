import type { Model } from '#contract/models.ts'
import { print, type Command } from '../command.ts'
import { toTable } from '../format.ts'

export const models: Command = {
  name: 'models',
  usage: '',
  summary: 'Lists the models that can be asked.',
  async run(call) {
    const { data } = await (await call.connect()).get<{ data: Model[] }>('/api/models')
    const rows = data.map(({ id, name, connection_type, connection_name }) => [
      id,
      name,
      connection_type === 'local' ? 'on this computer' : 'leaves this computer',
      connection_name,
    ])
    print(call, data, toTable(['ID', 'NAME', 'WHERE', 'CONNECTION'], rows))
  },
}
