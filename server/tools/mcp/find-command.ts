import { access, constants, stat } from 'node:fs/promises'
import path from 'node:path'
import { badRequest } from '../../lib/errors.ts'

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return (await stat(file)).isFile()
  } catch {
    return false
  }
}

const WINDOWS_ENDINGS = ['.exe', '.cmd', '.bat', '.com', '']

/**
 * Returns the executable file of a command: programs started from the desktop have fewer folders in
 * their path than a terminal, so the folders of the login shell are searched, and a failure lists
 * them. Throws 400 if nothing is found.
 */
export async function findCommand(command: string, searchPath: string): Promise<string> {
  if (path.isAbsolute(command)) {
    if (await isProgram(command)) return command
    throw badRequest(`There is no program ${command}. Check the command of the tool server.`)
  }
  if (command.includes('/') || command.includes('\\'))
    throw badRequest('Write the command as a name or as a full path.')
  const folders = searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder))
  const endings = process.platform === 'win32' ? WINDOWS_ENDINGS : ['']
  for (const folder of folders) {
    for (const ending of endings) {
      const file = path.join(folder, command + ending)
      if (await isProgram(file)) return file
    }
  }
  throw badRequest(
    `The command ${command} was not found. Searched: ${folders.join(', ') || 'no folders'}. Install it or write its full path.`,
  )
}
