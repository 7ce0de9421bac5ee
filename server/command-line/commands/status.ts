import { print, type Command } from '../command.ts'
import { CommandError, EXIT } from '../command-error.ts'
import { findGateway, requireGateway } from '../find-gateway.ts'
import { toDuration } from '../format.ts'

export const status: Command = {
  name: 'status',
  usage: '',
  summary: 'Shows whether a gateway runs, its URL, and the signed-in account.',
  async run(call) {
    if (call.wantsJson && !findGateway(call.dataDirs)) {
      print(call, { running: false }, '')
      return EXIT.notRunning
    }
    const gateway = requireGateway(call.dataDirs)
    const user = await whoAmI(call)
    const seconds = Math.floor(Date.now() / 1000) - gateway.started_at
    const value = {
      running: true,
      url: gateway.url,
      pid: gateway.pid,
      version: gateway.version,
      api_version: gateway.api_version,
      uptime_seconds: seconds,
      data_dir: gateway.dataDir,
      user,
    }
    const lines = [
      `Chat Gateway ${gateway.version} runs at ${gateway.url}`,
      `since ${toDuration(seconds)}, process ${gateway.pid}, data in ${gateway.dataDir}`,
      user
        ? `signed in as ${user.name} (${user.role})`
        : 'nobody has an account yet, or this program may not sign in',
    ]
    print(call, value, lines.join('\n'))
    return EXIT.ok
  },
}

async function whoAmI(
  call: Parameters<Command['run']>[0],
): Promise<{ name: string; email: string; role: string } | null> {
  try {
    const { name, email, role } = await (
      await call.connect()
    ).get<{ name: string; email: string; role: string }>('/api/v1/auths/')
    return { name, email, role }
  } catch (error) {
    if (error instanceof CommandError && error.exitCode === EXIT.notPermitted) return null
    throw error
  }
}
