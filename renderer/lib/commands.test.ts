import { expect, test } from 'vitest'
import { isCommandAvailable, registerCommand, registerCommands, runCommand } from './commands.ts'

test('the newest handler of a command wins, and the one before returns when it leaves', () => {
  const ran: string[] = []
  const removeFirst = registerCommand('chat.new', () => ran.push('first'))
  const removeSecond = registerCommand('chat.new', () => ran.push('second'))
  expect(runCommand('chat.new')).toBe(true)
  removeSecond()
  runCommand('chat.new')
  removeFirst()
  expect(ran).toEqual(['second', 'first'])
  expect(runCommand('chat.new')).toBe(false)
})

test('a command without a handler on the screen is not available', () => {
  const remove = registerCommands({ 'answer.stop': () => undefined })
  expect(isCommandAvailable('answer.stop')).toBe(true)
  remove()
  expect(isCommandAvailable('answer.stop')).toBe(false)
})
