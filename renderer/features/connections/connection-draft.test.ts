import { expect, test } from 'vitest'
import { connectionInputSchema } from '#contract/connections.ts'
import { sampleConnection } from '../../testing/samples.ts'
import { fromDraft, NEW_CONNECTION, parseHeaders, startDraft, toDraft } from './connection-draft.ts'

test('a connection survives the way through the form, and its key is not sent along', () => {
  const connection = sampleConnection({
    headers: { 'X-Team': 'research: a' },
    model_ids: ['a', 'b'],
    prefix_id: 'n',
    access: 'everybody',
  })
  const input = fromDraft(toDraft(connection))
  expect(connectionInputSchema.parse(input)).toEqual(input)
  expect(input).toMatchObject({
    headers: connection.headers,
    model_ids: ['a', 'b'],
    prefix_id: 'n',
    name: 'North',
    access: 'everybody',
  })
  expect(input).not.toHaveProperty('key')
})

test('a typed key is sent, and removing it sends an empty one', () => {
  expect(fromDraft({ ...NEW_CONNECTION, url: 'http://a.example', key: ' sk-1 ' }).key).toBe('sk-1')
  expect(
    fromDraft({ ...NEW_CONNECTION, url: 'http://a.example', key: 'sk-1', removeKey: true }).key,
  ).toBe('')
})

test('a connection without a name is called after its host', () => {
  expect(fromDraft({ ...NEW_CONNECTION, url: ' https://api.north.example/v1 ' }).name).toBe(
    'api.north.example',
  )
  expect(fromDraft({ ...NEW_CONNECTION, url: 'no address' }).name).toBe('no address')
})

test('the first connection of a gateway is proposed for everybody, later ones for the chosen', () => {
  expect(startDraft([]).access).toBe('everybody')
  expect(startDraft([sampleConnection({ origin: 'found' })]).access).toBe('everybody')
  expect(startDraft([sampleConnection({ origin: 'environment' })]).access).toBe('granted')
  expect(startDraft([sampleConnection({ access: 'everybody' })]).access).toBe('granted')
})

test('headers are read line by line', () => {
  expect(parseHeaders('A: 1\n\n  B:2:3 \nC')).toEqual({ A: '1', B: '2:3', C: '' })
})
