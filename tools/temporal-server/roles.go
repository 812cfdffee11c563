package main

import (
	"context"
	"log"
	"path"
	"slices"
	"strings"

	commonpb "go.temporal.io/api/common/v1"
	taskqueuepb "go.temporal.io/api/taskqueue/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/server/common/authorization"
)

// Queues that control workers serve, and no other.
var controlQueues = []string{"control", "slipway-fleet"}

// Methods that every certificate may call.
var common = []string{
	"Check", "GetSystemInfo", "GetClusterInfo", "DescribeNamespace", "ListSearchAttributes",
}

// A worker of steps takes activities and answers them. Its proof of a queue asks who serves it.
var build = []string{
	"ListWorkers", "DescribeTaskQueue", "PollActivityTaskQueue", "RespondActivityTaskCompleted", "RespondActivityTaskFailed",
	"RespondActivityTaskCanceled", "RecordActivityTaskHeartbeat", "RecordWorkerHeartbeat", "ShutdownWorker",
}

// A worker of control also carries out workflows, looks who serves which queue, and starts what its steps ask for.
var control = append([]string{
	"PollWorkflowTaskQueue", "RespondWorkflowTaskCompleted", "RespondWorkflowTaskFailed",
	"RespondQueryTaskCompleted", "ResetStickyTaskQueue", "PollNexusTaskQueue",
	"DescribeWorkflowExecution", "ListWorkflowExecutions", "GetWorkflowExecutionHistory",
	"StartWorkflowExecution", "ExecuteMultiOperation", "PollWorkflowExecutionUpdate",
}, build...)

// A person or CI starts runs, now or by a schedule, sends actions to them and looks at them.
var operator = []string{
	"StartWorkflowExecution", "SignalWorkflowExecution", "UpdateWorkflowExecution", "PollWorkflowExecutionUpdate",
	"QueryWorkflow", "RequestCancelWorkflowExecution", "TerminateWorkflowExecution",
	"DescribeWorkflowExecution", "GetWorkflowExecutionHistory", "GetWorkflowExecutionHistoryReverse",
	"ListWorkflowExecutions", "CountWorkflowExecutions", "DescribeTaskQueue", "ListWorkers",
	"CreateSchedule", "UpdateSchedule", "PatchSchedule", "DeleteSchedule", "DescribeSchedule", "ListSchedules",
}

// Types of workflows that a role starts, on the queue control alone. A run starts other ones itself.
var starts = map[string][]string{
	"operator": {"release", "pipeline", "bisect"},
	"control":  {"bisect", "index"},
}

// Types of workflows that a schedule starts.
var scheduled = []string{"pipeline"}

// Calls by the common name of the certificate. The server's own certificate may do anything: it also sets the server up.
var allowed = map[string][]string{"operator": operator, "control": control, "build": build}

// The largest action that a run takes (MOST_ACTION_BYTES in src/model/actions.ts).
const mostActionBytes = 65_536

// certificates reads the role from the client's certificate, which the TLS handshake has verified.
type certificates struct{}

func (certificates) GetClaims(info *authorization.AuthInfo) (*authorization.Claims, error) {
	if info == nil || info.TLSSubject == nil {
		return &authorization.Claims{}, nil
	}
	return &authorization.Claims{Subject: info.TLSSubject.CommonName}, nil
}

type roles struct{}

func (roles) Authorize(
	_ context.Context, claims *authorization.Claims, target *authorization.CallTarget,
) (authorization.Result, error) {
	role := ""
	if claims != nil {
		role = claims.Subject
	}
	reason := refusal(role, path.Base(target.APIName), target.Request)
	if reason == "" {
		return authorization.Result{Decision: authorization.DecisionAllow}, nil
	}
	log.Printf("refused role=%q call=%s reason=%q", role, target.APIName, reason)
	return authorization.Result{Decision: authorization.DecisionDeny, Reason: reason}, nil
}

// refusal says why a role may not make a call; empty if it may.
func refusal(role, call string, request any) string {
	if role == "server" || slices.Contains(common, call) {
		return ""
	}
	if !slices.Contains(allowed[role], call) {
		return "the role " + role + " may not call " + call
	}
	switch asked := request.(type) {
	case *workflowservice.PollActivityTaskQueueRequest:
		if role == "build" && slices.Contains(controlQueues, asked.GetTaskQueue().GetName()) {
			return "the role build may not serve the queue " + asked.GetTaskQueue().GetName()
		}
	case *workflowservice.StartWorkflowExecutionRequest:
		return startRefusal(role, starts[role], asked)
	case *workflowservice.ExecuteMultiOperationRequest:
		for _, operation := range asked.GetOperations() {
			if start := operation.GetStartWorkflow(); start != nil {
				if reason := startRefusal(role, starts[role], start); reason != "" {
					return reason
				}
			}
		}
	case *workflowservice.CreateScheduleRequest:
		return startRefusal(role, scheduled, asked.GetSchedule().GetAction().GetStartWorkflow())
	case *workflowservice.UpdateScheduleRequest:
		return startRefusal(role, scheduled, asked.GetSchedule().GetAction().GetStartWorkflow())
	case *workflowservice.SignalWorkflowExecutionRequest:
		if asked.GetInput().Size() > mostActionBytes {
			return "a signal has at most 65536 bytes"
		}
	case *workflowservice.UpdateWorkflowExecutionRequest:
		if asked.GetRequest().Size() > mostActionBytes {
			return "an update has at most 65536 bytes"
		}
	}
	return ""
}

// Fields that all requests to start a workflow share, now or by a schedule.
type start interface {
	GetWorkflowType() *commonpb.WorkflowType
	GetTaskQueue() *taskqueuepb.TaskQueue
}

// startRefusal says why a role may not start a workflow; empty if it may.
func startRefusal(role string, types []string, asked start) string {
	name, queue := asked.GetWorkflowType().GetName(), asked.GetTaskQueue().GetName()
	if slices.Contains(types, name) && queue == "control" {
		return ""
	}
	return "the role " + role + " starts " + strings.Join(types, ", ") + " here on the queue control alone, and not " +
		name + " on " + queue
}
