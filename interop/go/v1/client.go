package main

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"
	"github.com/a2aproject/a2a-go/v2/a2aclient/agentcard"
	"github.com/a2aproject/a2a-go/v2/a2acompat/a2av0"
	grpcv0 "github.com/a2aproject/a2a-go/v2/a2agrpc/v0"
	grpcv1 "github.com/a2aproject/a2a-go/v2/a2agrpc/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"parley/interop/lines"
)

// clients are those of the kit, for A2A 1.0 and for 0.3 by its compatibility layer.
type clients struct {
	lock  sync.Mutex
	known map[string]*a2aclient.Client
}

func (c *clients) operations() map[string]lines.Operation {
	return map[string]lines.Operation{
		"connect":      c.connect,
		"send":         c.send,
		"stream":       c.stream,
		"get":          c.get,
		"list":         c.list,
		"cancel":       c.cancel,
		"subscribe":    c.subscribe,
		"createPush":   c.createPush,
		"getPush":      c.getPush,
		"listPush":     c.listPush,
		"deletePush":   c.deletePush,
		"extendedCard": c.extendedCard,
	}
}

func (c *clients) connect(ctx context.Context, command lines.Command, _ lines.Emit) (any, error) {
	resolver := agentcard.NewResolver(&http.Client{Timeout: time.Minute})
	if command.Version == "0.3" {
		resolver.CardParser = a2av0.NewAgentCardParser()
	}
	card, err := resolver.Resolve(ctx, command.URL)
	if err != nil {
		return nil, err
	}
	var fitting []*a2a.AgentInterface
	for _, entry := range card.SupportedInterfaces {
		if string(entry.ProtocolBinding) == command.Binding && strings.HasPrefix(string(entry.ProtocolVersion), command.Version) {
			fitting = append(fitting, entry)
		}
	}
	card.SupportedInterfaces = fitting
	client, err := a2aclient.NewFromCard(ctx, card,
		a2av0.WithJSONRPCTransport(a2av0.JSONRPCTransportConfig{}),
		a2av0.WithRESTTransport(a2av0.RESTTransportConfig{}),
		grpcv1.WithGRPCTransport(grpc.WithTransportCredentials(insecure.NewCredentials())),
		grpcv0.WithGRPCTransport(grpc.WithTransportCredentials(insecure.NewCredentials())),
	)
	if err != nil {
		return nil, err
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	name := fmt.Sprintf("c%d", len(c.known)+1)
	c.known[name] = client
	return map[string]any{"client": name, "card": card}, nil
}

func (c *clients) of(command lines.Command) *a2aclient.Client {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.known[command.Client]
}

func (c *clients) send(ctx context.Context, command lines.Command, _ lines.Emit) (any, error) {
	request, err := sendRequest(command)
	if err != nil {
		return nil, err
	}
	answer, err := c.of(command).SendMessage(ctx, request)
	if err != nil {
		return nil, err
	}
	return a2a.StreamResponse{Event: answer}, nil
}

func (c *clients) stream(ctx context.Context, command lines.Command, emit lines.Emit) (any, error) {
	request, err := sendRequest(command)
	if err != nil {
		return nil, err
	}
	return nil, emitAll(c.of(command).SendStreamingMessage(ctx, request), emit)
}

func (c *clients) get(ctx context.Context, command lines.Command, _ lines.Emit) (any, error) {
	return c.of(command).GetTask(ctx, &a2a.GetTaskRequest{ID: a2a.TaskID(command.TaskID)})
}

func (c *clients) list(ctx context.Context, command lines.Command, _ lines.Emit) (any, error) {
	return c.of(command).ListTasks(ctx, &a2a.ListTasksRequest{ContextID: command.ContextID})
}

func (c *clients) cancel(ctx context.Context, command lines.Command, _ lines.Emit) (any, error) {
	return c.of(command).CancelTask(ctx, &a2a.CancelTaskRequest{ID: a2a.TaskID(command.TaskID)})
}

func (c *clients) subscribe(ctx context.Context, command lines.Command, emit lines.Emit) (any, error) {
	request := &a2a.SubscribeToTaskRequest{ID: a2a.TaskID(command.TaskID)}
	return nil, emitAll(c.of(command).SubscribeToTask(ctx, request), emit)
}

func (c *clients) createPush(ctx context.Context, command lines.Command, _ lines.Emit) (any, error) {
	config := &a2a.PushConfig{TaskID: a2a.TaskID(command.TaskID), ID: command.ConfigID, URL: command.URL, Token: "interop"}
	return c.of(command).CreateTaskPushConfig(ctx, config)
}

func (c *clients) getPush(ctx context.Context, command lines.Command, _ lines.Emit) (any, error) {
	request := &a2a.GetTaskPushConfigRequest{TaskID: a2a.TaskID(command.TaskID), ID: command.ConfigID}
	return c.of(command).GetTaskPushConfig(ctx, request)
}

func (c *clients) listPush(ctx context.Context, command lines.Command, _ lines.Emit) (any, error) {
	configs, err := c.of(command).ListTaskPushConfigs(ctx, &a2a.ListTaskPushConfigRequest{TaskID: a2a.TaskID(command.TaskID)})
	if err != nil {
		return nil, err
	}
	return map[string]any{"configs": configs}, nil
}

func (c *clients) deletePush(ctx context.Context, command lines.Command, _ lines.Emit) (any, error) {
	request := &a2a.DeleteTaskPushConfigRequest{TaskID: a2a.TaskID(command.TaskID), ID: command.ConfigID}
	return nil, c.of(command).DeleteTaskPushConfig(ctx, request)
}

func (c *clients) extendedCard(ctx context.Context, command lines.Command, _ lines.Emit) (any, error) {
	return c.of(command).GetExtendedAgentCard(ctx, &a2a.GetExtendedAgentCardRequest{})
}

func sendRequest(command lines.Command) (*a2a.SendMessageRequest, error) {
	var message a2a.Message
	if err := json.Unmarshal(command.Message, &message); err != nil {
		return nil, err
	}
	config := &a2a.SendMessageConfig{ReturnImmediately: !command.Waits()}
	return &a2a.SendMessageRequest{Message: &message, Config: config}, nil
}

func emitAll(events iter.Seq2[a2a.Event, error], emit lines.Emit) error {
	for event, err := range events {
		if err != nil {
			return err
		}
		emit(a2a.StreamResponse{Event: event})
	}
	return nil
}
