// Whoever asks for a change is named by its tasks from the first answer on.
import { expect, test } from 'vitest'
import { deploy, openLocalApi } from './local-api.js'

test('a task says whom it is by in the answer that begins it, and later the same', async () => {
  const { server } = await openLocalApi()
  try {
    await deploy(server, ['web'])
    const headers = { 'x-mariposa-user': 'ann', 'user-agent': 'deployer/1' }
    const url = '/v1/projects/default/scale'
    const answer = await server.inject({ method: 'POST', url, headers, payload: { targets: { web: 2 } } })
    const { tasks } = JSON.parse(answer.body) as { tasks: { uuid: string }[] }
    expect(tasks).toMatchObject([{ task: 'scale', by: { user: 'ann', client: 'deployer/1' } }])
    const later = await server.inject({ method: 'GET', url: `/v1/tasks/${tasks[0]?.uuid}` })
    expect(JSON.parse(later.body)).toEqual(tasks[0])
  } finally {
    await server.close()
  }
})
