import { strFromU8, strToU8, unzipSync, zipSync, type Zippable } from 'fflate'
import { describe, expect, it } from 'vitest'
import { CALLER_HEADER, serveTestRoutes } from '../testing/serve-test-routes.ts'
import { createPeople } from '../testing/create-people.ts'
import { createSkillRoutes, Skills } from './index.ts'
import { readArchive } from './read-archive.ts'
import { readSkillText } from './skill-folder.ts'

const MAIN = '---\nname: Code review\ndescription: "How: we review"\n---\n\nRead the tests first.\n'
const zip = (entries: Record<string, string | Uint8Array>, options = {}): Buffer =>
  Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries(entries).map(([name, value]) => [
          name,
          typeof value === 'string' ? strToU8(value) : value,
        ]),
      ),
      options,
    ),
  )
const refused = async (bytes: Buffer): Promise<string> => {
  const error: unknown = await readArchive(bytes).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toMatchObject({ status: 400, code: 'unreadable_archive' })
  return (error as Error).message
}

describe('SKILL.md', () => {
  it('says its name and description between two lines of dashes, whatever the line ends', async () => {
    expect(await readSkillText(MAIN)).toEqual({
      name: 'Code review',
      description: 'How: we review',
      content: 'Read the tests first.\n',
    })
    const { content } = await readSkillText(MAIN.replaceAll('\n', '\r\n'))
    expect(content).toBe('Read the tests first.\r\n')
  })

  it.each([
    ['no front matter', 'Read the tests.'],
    ['no name', '---\ndescription: x\n---\n'],
    ['a name that is a list', '---\nname: [a]\ndescription: x\n---\n'],
    ['YAML that breaks off', '---\nname: "a\ndescription: x\n---\n'],
    ['a list', '---\n- a\n---\n'],
    ['aliases that multiply', '---\nname: &a [x,x]\ndescription: [*a,*a]\n---\n'],
  ])('is refused with %s', async (_what, text) => {
    await expect(readSkillText(text)).rejects.toThrow(/SKILL\.md/)
  })
})

describe('the zip of a skill', () => {
  it('is read with its files, from a folder or from the top, without what systems leave in it', async () => {
    const read = await readArchive(
      zip({
        'code-review/SKILL.md': MAIN,
        'code-review/scripts/run.sh': 'echo 1',
        '__MACOSX/code-review/._SKILL.md': 'x',
        'code-review/.DS_Store': 'x',
      }),
    )
    expect(read).toMatchObject({ name: 'Code review', folder: 'code-review' })
    expect(read.files.map(({ path, content }) => [path, content.toString()])).toEqual([
      ['scripts/run.sh', 'echo 1'],
    ])
    expect(await readArchive(zip({ 'SKILL.md': MAIN }))).toMatchObject({ folder: 'Code review' })
  })

  it.each([
    ['../SKILL.md', 'leads out'],
    ['/etc/SKILL.md', 'leads out'],
    ['a/../../SKILL.md', 'leads out'],
    ['C:\\a\\SKILL.md', 'leads out'],
  ])('is refused with a path that climbs out: %s', async (name, said) => {
    expect(await refused(zip({ [name]: MAIN }))).toContain(said)
    expect(
      await refused(zip({ 'SKILL.md': MAIN, [name.replace('SKILL.md', 'x')]: 'x' })),
    ).toContain(said)
  })

  it('is refused when it holds a link', async () => {
    const link: Zippable = {
      'SKILL.md': strToU8(MAIN),
      passwords: [strToU8('/etc/passwd'), { os: 3, attrs: 0o120_777 << 16 }],
    }
    expect(await refused(Buffer.from(zipSync(link)))).toContain('a link')
  })

  it('is refused when it unpacks to far more than it should, before it was unpacked', async () => {
    const bomb = zip({ 'SKILL.md': MAIN, zeros: new Uint8Array(48 * 1024 * 1024) }, { level: 6 })
    expect(bomb.length).toBeLessThan(300 * 1024)
    const before = process.memoryUsage().arrayBuffers
    expect(await refused(bomb)).toContain('far more')
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(24 * 1024 * 1024)
  })

  it('is refused when it holds too many files, too large ones, several skills or none', async () => {
    const many = Object.fromEntries(Array.from({ length: 450 }, (_, at) => [`f${at}`, 'x']))
    expect(await refused(zip({ 'SKILL.md': MAIN, ...many }))).toContain('more than')
    const large = Buffer.alloc(1024 * 1024 + 1, 'abcdefghij')
    expect(await refused(zip({ 'SKILL.md': MAIN, large }, { level: 0 }))).toContain('1 MiB')
    expect(await refused(zip({ 'a/SKILL.md': MAIN, 'b/SKILL.md': MAIN }))).toContain('several')
    expect(await refused(zip({ 'readme.md': 'x' }))).toContain('no SKILL.md')
    expect(await refused(zip({ 'a/SKILL.md': MAIN, 'b/x': 'x' }))).toContain('outside')
  })

  it.each([
    ['no zip at all', Buffer.from('not a zip')],
    ['a zip cut in half', zip({ 'SKILL.md': MAIN, b: 'x'.repeat(5000) }).subarray(0, 150)],
    ['text that is no UTF-8', zip({ 'SKILL.md': Buffer.from([0xff, 0xfe, 0x00]) })],
  ])('is refused when it is %s', async (_what, bytes) => {
    expect(await refused(bytes)).not.toBe('')
  })

  it('is written so that it can be read again, here and elsewhere', async () => {
    const people = await createPeople()
    const { userId } = await people.addCaller('owner')
    const server = await serveTestRoutes(createSkillRoutes(new Skills(people)))
    const call = (path: string, init: RequestInit = {}) =>
      fetch(`${server.origin}/api/v1/skills${path}`, {
        ...init,
        headers: { [CALLER_HEADER]: userId, 'Content-Type': 'application/zip' },
      })
    try {
      const archive = zip({ 'code-review/SKILL.md': MAIN, 'code-review/data/a.bin': 'bytes' })
      const made = await call('/import', { method: 'POST', body: new Uint8Array(archive) })
      expect(await made.json()).toMatchObject({
        id: 'code-review',
        name: 'Code review',
        description: 'How: we review',
        content: 'Read the tests first.\n',
        files: [{ path: 'data/a.bin', size: 5 }],
      })
      const again = await call('/import', { method: 'POST', body: new Uint8Array(archive) })
      expect(again.status).toBe(400)
      const entries = unzipSync(
        new Uint8Array(await (await call('/id/code-review/download')).arrayBuffer()),
      )
      expect(Object.keys(entries)).toEqual(['code-review/SKILL.md', 'code-review/data/a.bin'])
      expect(await readSkillText(strFromU8(entries['code-review/SKILL.md']!))).toEqual(
        await readSkillText(MAIN),
      )
      const file = await call('/id/code-review/files?path=data%2Fa.bin')
      expect(await file.text()).toBe('bytes')
      expect(file.headers.get('content-disposition')).toMatch(/^attachment/)
      expect((await call('/import', { method: 'POST', body: 'x', headers: {} })).status).toBe(400)
    } finally {
      await server.close()
    }
  })
})
