// A small program that speaks the process channel like the server does. What it does is chosen by SCENE.
import http from 'node:http'

const scene = process.env.SCENE ?? 'good'
const send = (message) => process.send(message)
let code = null
let isPaused = false
const proxies = []

function answer(request, response) {
  if (request.url === '/crash') process.exit(9)
  if (request.url === '/sealed') send({ type: 'sealed', isSealed: true })
  if (request.url === '/proxies')
    send({ type: 'find-proxies', id: 7, origin: 'https://models.example' })
  response.end(
    JSON.stringify({
      status: true,
      pid: process.pid,
      isPaused,
      proxies,
      recovery: process.env.DATABASE_RECOVERY ?? null,
    }),
  )
}

function start({ port, ...message }) {
  if (scene === 'crashes') process.exit(3)
  if (scene === 'locked') {
    send({ type: 'failed', reason: 'locked', message: 'The data folder is in use.' })
    return
  }
  if (scene === 'damaged' && !process.env.DATABASE_RECOVERY) {
    send({
      type: 'failed',
      reason: 'damaged',
      message: 'The database is damaged.',
      choices: ['restore', 'fresh'],
    })
    return
  }
  if (scene === 'silent') return
  const secrets = [...process.argv, ...Object.values(process.env)].filter((text) =>
    text.includes(message.rootSecret),
  )
  if (secrets.length > 0) process.exit(7)
  const server = http.createServer(answer)
  server.listen(port, '127.0.0.1', () => {
    send('nonsense')
    send({ type: 'ready', url: 'not an address', port: 0 })
    send({
      type: 'ready',
      url: `http://127.0.0.1:${server.address().port}`,
      port: server.address().port,
    })
  })
}

process.on('message', (message) => {
  if (message.type === 'pause') isPaused = message.isPaused
  if (message.type === 'start') start(message)
  if (message.type === 'proxies') proxies.push({ id: message.id, route: message.route })
  if (message.type === 'desktop-code' && scene !== 'mute') {
    code = `code-${process.pid}-${Date.now()}-${code === null ? 1 : 2}`
    send({ type: 'desktop-code', code })
  }
  if (message.type === 'activity') send({ type: 'activity', answers: 2 })
  if (message.type === 'back-up')
    send({
      type: 'backed-up',
      file: message.label === 'before-update' ? '/copy.db' : null,
      problem: message.label === 'before-update' ? null : 'There is no space for a backup.',
    })
  if (message.type === 'stop' && scene !== 'stubborn') process.exit(0)
})
process.on('disconnect', () => process.exit(0))
