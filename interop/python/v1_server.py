"""A server of a2a-sdk 1.x with the scripted agent, for A2A 1.0 or, by its compatibility layer, for 0.3."""

import asyncio
import json

from google.protobuf.json_format import MessageToDict
from starlette.applications import Starlette

import script

from a2a.helpers import (
    new_data_part,
    new_raw_part,
    new_task_from_user_message,
    new_text_message,
    new_text_part,
    new_url_part,
)
from a2a.compat.v0_3 import a2a_v0_3_pb2_grpc
from a2a.compat.v0_3.grpc_handler import CompatGrpcHandler
from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers.default_request_handler_v2 import DefaultRequestHandlerV2
from a2a.server.request_handlers.grpc_handler import GrpcHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import InMemoryPushNotificationConfigStore, InMemoryTaskStore, TaskUpdater
from a2a.types import a2a_pb2 as pb
from a2a.types import a2a_pb2_grpc
from lines import Gates, free_socket, start, start_grpc


class Servers:
    def __init__(self):
        self._gates = {}
        self._running = []
        self.operations = {'serve': self._serve, 'release': self._release}

    async def _serve(self, command, _):
        bound, url = free_socket()
        legacy = command['version'] == '0.3'
        card = card_of(url, command)
        extended = pb.AgentCard()
        extended.CopyFrom(card)
        extended.name = 'scripted, extended'
        gates = Gates()
        handler = DefaultRequestHandlerV2(
            agent_executor=Scripted(gates),
            task_store=InMemoryTaskStore(),
            agent_card=card,
            push_config_store=InMemoryPushNotificationConfigStore(),
            extended_agent_card=extended,
        )
        if command['binding'] == 'GRPC':
            # The handler reads the card when it is asked, not before.
            address, server = await start_grpc(lambda made: register(made, handler, legacy))
            self._running.append(server)
            card.supported_interfaces[0].url = address
            extended.supported_interfaces[0].url = address
        routes = create_agent_card_routes(card)
        if command['binding'] == 'JSONRPC':
            routes += create_jsonrpc_routes(handler, '/', enable_v0_3_compat=legacy)
        elif command['binding'] == 'HTTP+JSON':
            routes += create_rest_routes(handler, enable_v0_3_compat=legacy)
        self._running.append(await start(Starlette(routes=routes), bound))
        name = f's{len(self._running)}'
        self._gates[name] = gates
        return {'server': name, 'url': url}

    async def _release(self, command, _):
        self._gates[command['server']].release()


def register(server, handler, legacy):
    if legacy:
        a2a_v0_3_pb2_grpc.add_A2AServiceServicer_to_server(CompatGrpcHandler(handler), server)
    else:
        a2a_pb2_grpc.add_A2AServiceServicer_to_server(GrpcHandler(handler), server)


def card_of(url, command):
    return pb.AgentCard(
        name='scripted',
        description='Does what the first text says',
        version='1.0.0',
        supported_interfaces=[
            pb.AgentInterface(
                url=url, protocol_binding=command['binding'], protocol_version=command['version']
            )
        ],
        capabilities=pb.AgentCapabilities(streaming=True, push_notifications=True, extended_agent_card=True),
        default_input_modes=['text/plain'],
        default_output_modes=['text/plain'],
        skills=[pb.AgentSkill(id='script', name='Script', description='Does what the text says', tags=['test'])],
    )


class Scripted(AgentExecutor):
    def __init__(self, gates):
        self._gates = gates

    async def execute(self, context, queue):
        message = context.message
        text = message.parts[0].text
        if text == 'reply':
            await queue.enqueue_event(new_text_message('Hi'))
            return
        task = context.current_task
        if not task:
            task = new_task_from_user_message(message)
            await queue.enqueue_event(task)
        updater = TaskUpdater(queue, task.id, task.context_id)
        if text == 'ask':
            await updater.requires_input(updater.new_agent_message([new_text_part('Which?')]))
            return
        await updater.start_work()
        if text == 'wait':
            await asyncio.Event().wait()
        elif text == 'gate':
            await updater.add_artifact([new_text_part('one ')], artifact_id='a')
            await self._gates.wait()
            await updater.add_artifact([new_text_part('two')], artifact_id='a', append=True, last_chunk=True)
        elif text == 'chunks':
            for number, word in enumerate(['one ', 'two ', 'three']):
                await updater.add_artifact(
                    [new_text_part(word)], artifact_id='a', append=number > 0, last_chunk=number == 2
                )
        elif text == 'fail':
            await updater.failed(updater.new_agent_message([new_text_part('It broke')]))
            return
        else:
            await updater.add_artifact(results(text, message.parts), artifact_id='a')
        await updater.complete()

    async def cancel(self, context, queue):
        await TaskUpdater(queue, context.task_id, context.context_id).cancel()


def results(text, parts):
    if text == 'receive':
        return [new_text_part(json.dumps([described(part) for part in parts[1:]]))]
    if text == 'produce':
        return [
            new_text_part('made'),
            new_raw_part(script.FILE, media_type=script.MEDIA_TYPE, filename=script.FILENAME),
            new_url_part(script.LINK, media_type=script.LINK_TYPE),
            new_data_part(script.DATA),
        ]
    return [new_text_part(f'You said {text}')]


def described(part):
    kind = part.WhichOneof('content')
    if kind == 'raw':
        return script.described_bytes(part.raw, part.media_type, part.filename)
    if kind == 'url':
        return script.described_link(part.url, part.media_type, part.filename)
    if kind == 'data':
        return {'kind': 'data', 'data': MessageToDict(part.data)}
    return {'kind': 'text', 'text': part.text}
