"""Commands as JSON lines on stdin, answers as JSON lines on stdout: the protocol of interop/peer.ts."""

import asyncio
import json
import socket
import sys


class Refused(Exception):
    """The peer offers no such operation."""


class Lines:
    """Runs every command as a task of its own, so that streams and calls go on beside each other."""

    def __init__(self, operations, failure):
        self._operations = operations
        self._failure = failure
        self._running = {}

    async def run(self):
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(limit=16 * 1024 * 1024)
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        while line := await reader.readline():
            command = json.loads(line)
            if command['op'] == 'leave':
                self._leave(command['of'])
                continue
            task = asyncio.create_task(self._answer(command))
            self._running[command['id']] = task
            task.add_done_callback(lambda _, number=command['id']: self._running.pop(number, None))

    def _leave(self, number):
        task = self._running.get(number)
        if task:
            task.cancel()

    async def _answer(self, command):
        number = command['id']
        try:
            operation = self._operations.get(command['op'])
            if operation is None:
                raise Refused('no such operation')
            result = await operation(command, lambda event: write({'id': number, 'event': event}))
            write({'id': number, 'result': result})
        except asyncio.CancelledError:
            write({'id': number, 'result': None})
        except Refused as error:
            write({'id': number, 'error': {'code': 'NOT_OFFERED', 'text': str(error)}})
        except NotImplementedError as error:
            write({'id': number, 'error': {'code': 'NOT_OFFERED', 'text': str(error)}})
        except Exception as error:  # every failure of the kit is a result
            told = {'text': f'{type(error).__name__}: {error}'[:500], **self._failure(error)}
            write({'id': number, 'error': told})


def write(line):
    sys.stdout.write(json.dumps(line) + '\n')
    sys.stdout.flush()


def free_socket():
    """A bound socket, so that the address is known before the server starts."""
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    bound.bind(('127.0.0.1', 0))
    return bound, f'http://127.0.0.1:{bound.getsockname()[1]}'


async def start(app, bound):
    """Serves an ASGI application; returns once it listens."""
    import uvicorn

    server = uvicorn.Server(uvicorn.Config(app, log_level='critical', lifespan='off', timeout_graceful_shutdown=1))
    server.install_signal_handlers = lambda: None
    task = asyncio.create_task(server.serve(sockets=[bound]))
    while not server.started:
        await asyncio.sleep(0.01)
    return task


async def start_grpc(register):
    """Serves gRPC on a free port; returns the address as cards have it, and the server, which its owner keeps."""
    import grpc

    server = grpc.aio.server()
    register(server)
    port = server.add_insecure_port('127.0.0.1:0')
    await server.start()
    return f'127.0.0.1:{port}', server


def grpc_failure(error):
    """The status of gRPC as that of HTTP that stands for it, where the kit keeps no more than that."""
    import grpc

    if not isinstance(error, grpc.aio.AioRpcError):
        return {}
    return {'status': STATUSES.get(error.code().name, 500)}


STATUSES = {
    'INVALID_ARGUMENT': 400,
    'FAILED_PRECONDITION': 400,
    'NOT_FOUND': 404,
    'UNIMPLEMENTED': 501,
    'UNAVAILABLE': 503,
}


class Gates:
    """What runs wait for until the runner lets them go on."""

    def __init__(self):
        self._open = asyncio.Event()

    async def wait(self):
        await self._open.wait()

    def release(self):
        self._open.set()
        self._open = asyncio.Event()
