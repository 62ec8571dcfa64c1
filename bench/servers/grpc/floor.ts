import { randomUUID } from 'node:crypto';
import { type SendMessageRequest, type SendMessageResponse, type StreamResponse, TaskState } from '@a2a-js/sdk';
import { A2AService } from '@a2a-js/sdk/server/grpc';
import { type handleServerStreamingCall, type handleUnaryCall, Metadata, Server } from '@grpc/grpc-js';
import { runScript } from '../script.ts';
import { bindServer } from './bind.ts';
import { chunkResponse, completed, newTask, statusResponse, taskResponse } from './floor-messages.ts';

type Message = NonNullable<SendMessageRequest['message']>;

/** Bare grpc-js with generated messages: it reads the request, runs the script and sends what Parley sends. It keeps and checks nothing. */
export function startGrpcFloor(): Promise<number> {
  const server = new Server({ 'grpc.enable_channelz': 0 });
  const { sendMessage, sendStreamingMessage } = A2AService;
  server.register(sendMessage.path, send, sendMessage.responseSerialize, sendMessage.requestDeserialize, 'unary');
  const { path, responseSerialize, requestDeserialize } = sendStreamingMessage;
  server.register(path, stream, responseSerialize, requestDeserialize, 'serverStream');
  return bindServer(server);
}

const send: handleUnaryCall<SendMessageRequest, SendMessageResponse> = (call, respond) => {
  call.sendMetadata(metadata());
  void run(call.request).then((response) => respond(null, response), respond);
};

async function run({ message }: SendMessageRequest): Promise<SendMessageResponse> {
  const task = newTask(message as Message);
  let output = '';
  for await (const chunk of runScript(textOf(message))) output += chunk;
  return { payload: { $case: 'task', value: completed(task, output) } };
}

const stream: handleServerStreamingCall<SendMessageRequest, StreamResponse> = (call) => {
  call.sendMetadata(metadata());
  void (async () => {
    const { message } = call.request;
    const task = newTask(message as Message);
    const artifactId = randomUUID();
    call.write(taskResponse(task));
    call.write(statusResponse(task, TaskState.TASK_STATE_WORKING));
    for await (const chunk of runScript(textOf(message))) call.write(chunkResponse(task, artifactId, chunk));
    call.write(statusResponse(task, TaskState.TASK_STATE_COMPLETED));
    call.end();
  })();
};

function textOf(message: SendMessageRequest['message']): string {
  const content = message?.parts[0]?.content;
  return content?.$case === 'text' ? content.value : '';
}

function metadata(): Metadata {
  const made = new Metadata();
  made.set('a2a-protocol-version', '1.0');
  return made;
}
