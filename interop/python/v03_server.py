"""A server of a2a-sdk 0.3 with the scripted agent."""

import asyncio
import base64
import json

import script

from a2a.grpc import a2a_pb2_grpc
from a2a.server.agent_execution import AgentExecutor
from a2a.server.apps import A2ARESTFastAPIApplication, A2AStarletteApplication
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.request_handlers.grpc_handler import GrpcHandler
from a2a.server.tasks import InMemoryPushNotificationConfigStore, InMemoryTaskStore, TaskUpdater
from a2a.types import (
    AgentCapabilities,
    AgentCard,
    AgentSkill,
    DataPart,
    FilePart,
    FileWithBytes,
    FileWithUri,
    Part,
    TextPart,
)
from a2a.utils import new_agent_text_message, new_task
from lines import Gates, free_socket, start, start_grpc


class Servers:
    def __init__(self):
        self._gates = {}
        self._running = []
        self.operations = {'serve': self._serve, 'release': self._release}

    async def _serve(self, command, _):
        bound, url = free_socket()
        card = card_of(url, command)
        extended = card.model_copy(update={'name': 'scripted, extended'})
        gates = Gates()
        handler = DefaultRequestHandler(
            agent_executor=Scripted(gates),
            task_store=InMemoryTaskStore(),
            push_config_store=InMemoryPushNotificationConfigStore(),
        )
        if command['binding'] == 'GRPC':
            # It has one card for everybody: the extended one.
            address, server = await start_grpc(
                lambda made: a2a_pb2_grpc.add_A2AServiceServicer_to_server(GrpcHandler(extended, handler), made)
            )
            self._running.append(server)
            card.url = extended.url = address
        kind = A2ARESTFastAPIApplication if command['binding'] == 'HTTP+JSON' else A2AStarletteApplication
        app = kind(agent_card=card, http_handler=handler, extended_agent_card=extended).build()
        self._running.append(await start(app, bound))
        name = f's{len(self._running)}'
        self._gates[name] = gates
        return {'server': name, 'url': url}

    async def _release(self, command, _):
        self._gates[command['server']].release()


def card_of(url, command):
    return AgentCard(
        name='scripted',
        description='Does what the first text says',
        version='1.0.0',
        url=url,
        preferred_transport=command['binding'],
        protocol_version='0.3.0',
        capabilities=AgentCapabilities(streaming=True, push_notifications=True),
        default_input_modes=['text/plain'],
        default_output_modes=['text/plain'],
        skills=[AgentSkill(id='script', name='Script', description='Does what the text says', tags=['test'])],
        supports_authenticated_extended_card=True,
    )


class Scripted(AgentExecutor):
    def __init__(self, gates):
        self._gates = gates

    async def execute(self, context, queue):
        message = context.message
        text = message.parts[0].root.text
        if text == 'reply':
            await queue.enqueue_event(new_agent_text_message('Hi'))
            return
        task = context.current_task
        if not task:
            task = new_task(message)
            await queue.enqueue_event(task)
        updater = TaskUpdater(queue, task.id, task.context_id)
        if text == 'ask':
            await updater.requires_input(updater.new_agent_message([words('Which?')]), final=True)
            return
        await updater.start_work()
        if text == 'wait':
            await asyncio.Event().wait()
        elif text == 'gate':
            await updater.add_artifact([words('one ')], artifact_id='a')
            await self._gates.wait()
            await updater.add_artifact([words('two')], artifact_id='a', append=True, last_chunk=True)
        elif text == 'chunks':
            for number, word in enumerate(['one ', 'two ', 'three']):
                await updater.add_artifact([words(word)], artifact_id='a', append=number > 0, last_chunk=number == 2)
        elif text == 'fail':
            await updater.failed(updater.new_agent_message([words('It broke')]))
            return
        else:
            await updater.add_artifact(results(text, message.parts), artifact_id='a')
        await updater.complete()

    async def cancel(self, context, queue):
        await TaskUpdater(queue, context.task_id, context.context_id).cancel()


def words(text):
    return Part(root=TextPart(text=text))


def results(text, parts):
    if text == 'receive':
        return [words(json.dumps([described(part.root) for part in parts[1:]]))]
    if text == 'produce':
        content = base64.b64encode(script.FILE).decode()
        return [
            words('made'),
            Part(
                root=FilePart(
                    file=FileWithBytes(bytes=content, mime_type=script.MEDIA_TYPE, name=script.FILENAME)
                )
            ),
            Part(root=FilePart(file=FileWithUri(uri=script.LINK, mime_type=script.LINK_TYPE))),
            Part(root=DataPart(data=script.DATA)),
        ]
    return [words(f'You said {text}')]


def described(part):
    if part.kind == 'file' and isinstance(part.file, FileWithBytes):
        content = base64.b64decode(part.file.bytes, validate=True)
        return script.described_bytes(content, part.file.mime_type, part.file.name)
    if part.kind == 'file':
        return script.described_link(part.file.uri, part.file.mime_type, part.file.name)
    if part.kind == 'data':
        return {'kind': 'data', 'data': part.data}
    return {'kind': 'text', 'text': part.text}
