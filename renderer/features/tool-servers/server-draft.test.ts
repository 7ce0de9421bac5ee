import { expect, it } from 'vitest'
import { toolServerInputSchema, type ToolServer } from '#contract/tool-servers.ts'
import { fromLines, NEW_SERVER, toDraft, toInput } from './server-draft.ts'

const stored: ToolServer = {
  type: 'mcp',
  url: 'https://tools.example.org/mcp',
  path: 'openapi.json',
  auth_type: 'bearer',
  key: '********',
  headers: { 'X-Team': 'bakers: all' },
  config: {
    enable: false,
    access_grants: [],
    access_control: null,
    function_name_filter_list: '!delete',
    approval: 'changes',
  },
  info: { id: 'issues', name: 'Issues', description: 'The tracker', oauth_client_info: 'sealed' },
  spec_type: 'url',
  spec: '',
  command: '',
  args: [],
  env: {},
}

it('a stored server comes back from its form as it was', () => {
  const { access_control: _, ...config } = stored.config
  expect(toInput(toDraft(stored))).toEqual({ ...stored, config })
})

it('what belongs to another kind is not sent', () => {
  const program = toInput({ ...toDraft(stored), kind: 'program', command: 'npx', arguments: '-y\nserver memory\n', environment: 'A=1=2' })
  expect(program).toMatchObject({
    type: 'mcp',
    url: '',
    key: '',
    headers: {},
    command: 'npx',
    args: ['-y', 'server memory'],
    env: { A: '1=2' },
  })
})

it('an empty form is what the gateway takes', () => {
  expect(toolServerInputSchema.safeParse(toInput({ ...NEW_SERVER, name: 'Weather', url: 'http://127.0.0.1:1' })).success).toBe(true)
})

it('lines without a mark are left out', () => {
  expect(fromLines('A: b\n\nnothing\n: c', ':')).toEqual({ A: 'b' })
})
