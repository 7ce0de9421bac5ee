import type { World } from './create-world.ts'
import { admin, owned, user, type MatrixRow } from './matrix-row.ts'

let counter = 0

const file =
  (filename: string, content: string) =>
  async ({ server, ids }: World): Promise<Record<string, string>> => {
    counter += 1
    const bytes = Buffer.from(`${content} ${counter}`)
    const options = { process: false, background: true }
    const { id } = await server.context.files.create(
      ids.owner,
      { filename, contentType: null, content: { bytes } },
      options,
    )
    return { file_id: id, name: filename }
  }
const text = file('notes.txt', 'Some notes')

/** Administrators manage the files of all users. */
const managed = (row: Partial<MatrixRow> = {}): MatrixRow =>
  owned(text, { others: { other: 404 }, ...row })

/** Rows for the file endpoints. */
export const fileRows: Readonly<Record<string, MatrixRow>> = {
  // The request passes authorisation and fails at the check for a form.
  'files.upload': user(415, { file: 'no form' }),
  'files.list': user(),
  'files.search': { ...user(404), query: '?filename=no-such-file' },
  'files.usage': user(),
  'files.removeAll': admin(),
  'files.unused': admin(),
  'files.removeUnused': admin(),
  'files.get': managed(),
  'files.uses': managed(),
  'files.status': managed(),
  'files.process': managed(),
  'files.text': managed(),
  'files.updateText': managed({ body: () => ({ content: 'Other notes' }) }),
  'files.content': managed(),
  'files.html': managed({ params: file('page.html', '<p>A page</p>') }),
  'files.namedContent': managed(),
  'files.rename': managed({ body: () => ({ filename: 'renamed.txt' }) }),
  'files.remove': managed({ others: { other: 404, admin: 200 }, status: 404 }),
}
